"""Reads a GraphQL document: one operation with variables, selections, aliases, arguments, inline fragments.

What GitHub would take and our client never sends (named fragments, directives) is refused.
"""
import re

TOKEN = re.compile(r'\s*(?:#[^\n]*\s*)*(\.\.\.|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|-?\d+|[{}()\[\]:$!,=])')


class QueryError(Exception):
    pass


class Field:
    def __init__(self, name, alias, arguments, selections):
        self.name, self.alias, self.arguments, self.selections = name, alias, arguments, selections


class Fragment:
    def __init__(self, type_name, selections):
        self.type_name, self.selections = type_name, selections


class Variable:
    def __init__(self, name):
        self.name = name


class Parser:
    def __init__(self, text):
        self.tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise QueryError(f"Parse error on {text[position:position + 10]!r}")
            if match[1] != ",":
                self.tokens.append(match[1])
            position = match.end()

    def peek(self):
        return self.tokens[0] if self.tokens else ""

    def take(self, expected=None):
        if not self.tokens or (expected and self.tokens[0] != expected):
            raise QueryError(f"Parse error on {self.peek()!r}, expected {expected!r}")
        return self.tokens.pop(0)

    def document(self):
        """Gives ({variable: type}, selections)."""
        variables = {}
        if self.peek() == "query":
            self.take()
            if self.peek() not in ("(", "{"):
                self.take()
            if self.peek() == "(":
                self.take()
                while self.peek() != ")":
                    self.take("$")
                    name = self.take()
                    self.take(":")
                    variables[name] = self.type()
                self.take()
        selections = self.selections()
        if self.tokens:
            raise QueryError("more than one operation")
        return variables, selections

    def type(self):
        text = self.take()
        if text == "[":
            text += self.type() + self.take("]")
        if self.peek() == "!":
            text += self.take()
        return text

    def selections(self):
        self.take("{")
        found = []
        while self.peek() != "}":
            found.append(self.selection())
        self.take()
        if not found:
            raise QueryError("empty selection")
        return found

    def selection(self):
        if self.peek() == "...":
            self.take()
            self.take("on")
            return Fragment(self.take(), self.selections())
        name = alias = self.take()
        if self.peek() == ":":
            self.take()
            name = self.take()
        arguments = {}
        if self.peek() == "(":
            self.take()
            while self.peek() != ")":
                key = self.take()
                self.take(":")
                arguments[key] = self.value()
            self.take()
        return Field(name, alias, arguments, self.selections() if self.peek() == "{" else None)

    def value(self):
        token = self.take()
        if token == "$":
            return Variable(self.take())
        if token == "[":
            values = []
            while self.peek() != "]":
                values.append(self.value())
            self.take()
            return values
        if token.startswith('"'):
            return token[1:-1]
        if re.fullmatch(r"-?\d+", token):
            return int(token)
        return token
