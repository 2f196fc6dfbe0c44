"""The part of GitHub's GraphQL schema that our client asks for, and its answers from the world."""
from .graphql import Field, Fragment, Parser, QueryError, Variable

CONNECTION = {"first", "after"}
ITEM = {
    "id": "ID", "number": "Int", "title": "String", "body": "String", "state": "State", "createdAt": "DateTime",
    "updatedAt": "DateTime", "closedAt": "DateTime", "author": "Actor", "authorAssociation": "Association",
    "repository": "Repository", "labels": ("LabelConnection", CONNECTION),
    "comments": ("IssueCommentConnection", CONNECTION),
    "timelineItems": ("TimelineConnection", CONNECTION | {"itemTypes"}),
}
SCHEMA = {
    "Query": {"nodes": ("[Node]", {"ids"}), "node": ("Node", {"id"}), "repository": ("Repository", {"owner", "name"}), "rateLimit": "RateLimit"},
    "RateLimit": {"cost": "Int", "limit": "Int", "remaining": "Int", "resetAt": "DateTime"},
    "Repository": {"nameWithOwner": "String", "issueOrPullRequest": ("IssueOrPullRequest", {"number"})},
    "Issue": ITEM,
    "PullRequest": {
        **ITEM, "headRefOid": "Oid", "baseRefOid": "Oid", "baseRefName": "String", "merged": "Boolean",
        "mergedAt": "DateTime", "mergeCommit": "Commit", "changedFiles": "Int", "files": ("FileConnection", CONNECTION),
        "closingIssuesReferences": ("IssueConnection", CONNECTION), "commits": ("PullCommitConnection", CONNECTION)},
    "Actor": {"login": "String"}, "PageInfo": {"hasNextPage": "Boolean", "endCursor": "String"},
    "Label": {"name": "String"},
    "IssueComment": {"author": "Actor", "authorAssociation": "Association", "createdAt": "DateTime", "body": "String"},
    "File": {"path": "String", "additions": "Int", "deletions": "Int", "changeType": "String"},
    "PullCommit": {"commit": "Commit"},
    "Commit": {"oid": "Oid", "parents": ("CommitConnection", CONNECTION)},
    "CrossReferencedEvent": {"willCloseTarget": "Boolean", "source": "IssueOrPullRequest"},
    "ClosedEvent": {"closer": "Closer"},
    "ConnectedEvent": {"subject": "IssueOrPullRequest"},
}
for _name, _node in (("Label", "Label"), ("IssueComment", "IssueComment"), ("File", "File"), ("Issue", "Issue"),
                     ("PullCommit", "PullCommit"), ("Commit", "Commit"), ("Timeline", "TimelineItem")):
    SCHEMA[_name + "Connection"] = {"totalCount": "Int", "pageInfo": "PageInfo", "nodes": f"[{_node}]"}
UNIONS = {
    "Node": {"Issue", "PullRequest"}, "IssueOrPullRequest": {"Issue", "PullRequest"},
    "Closer": {"PullRequest", "Commit"}, "TimelineItem": {"CrossReferencedEvent", "ClosedEvent", "ConnectedEvent"},
}
EVENT_TYPES = {"CROSS_REFERENCED_EVENT": "CrossReferencedEvent", "CLOSED_EVENT": "ClosedEvent",
               "CONNECTED_EVENT": "ConnectedEvent"}


def connection(values, arguments):
    begin = int(arguments["after"].removeprefix("cursor:")) if arguments.get("after") else 0
    end = min(begin + arguments["first"], len(values))
    return {"totalCount": len(values), "nodes": values[begin:end],
            "pageInfo": {"hasNextPage": end < len(values), "endCursor": f"cursor:{end}" if values[begin:end] else None}}


class Answers:
    """Values of one world as plain dictionaries; a callable is a field with arguments."""

    def __init__(self, world):
        self.world = world

    def actor(self, login):
        return {"__typename": "Actor", "login": login}

    def item(self, number):
        item = self.world.items[number]
        world = self.world
        value = {
            "__typename": "PullRequest" if item["is_pull"] else "Issue", "id": item["node_id"], "number": number,
            "title": item["title"], "body": item["body"], "createdAt": item["created_at"],
            "updatedAt": item["updated_at"], "closedAt": item.get("closed_at"),
            "state": "MERGED" if item.get("merge") else item["state"].upper(), "author": self.actor(item["author"]),
            "authorAssociation": world.association(item["author"]), "repository": self.repository(),
            "labels": lambda a: connection([{"name": name} for name in item["labels"]], a),
            "comments": lambda a: connection([self.comment(comment) for comment in item["comments"]], a),
            "timelineItems": lambda a: connection(self.events(item, a.get("itemTypes")), a)}
        if item["is_pull"]:
            value.update({
                "headRefOid": item["head"], "baseRefOid": item["base"], "baseRefName": "main",
                "merged": bool(item.get("merge")), "mergedAt": item.get("merged_at"), "changedFiles": lambda a: len(world.files(item)),
                "mergeCommit": self.commit(item["merge"]) if item.get("merge") else None,
                "files": lambda a: connection([{**file, "changeType": file["status"].upper()}
                                               for file in world.files(item)], a),
                "closingIssuesReferences": lambda a: connection([self.item(n) for n in item.get("closes", [])], a),
                "commits": lambda a: connection([{"commit": self.commit(*pair)} for pair in world.own_commits(item)], a)})
        return value

    def repository(self):
        def issue_or_pull(arguments):
            item = self.world.items.get(arguments["number"])
            return None if item is None or item.get("gone") else self.item(arguments["number"])
        return {"nameWithOwner": self.world.repository, "issueOrPullRequest": issue_or_pull}

    def comment(self, comment):
        return {"author": self.actor(comment["author"]), "createdAt": comment["created_at"], "body": comment["body"],
                "authorAssociation": self.world.association(comment["author"])}

    def commit(self, oid, parents=()):
        return {"__typename": "Commit", "oid": oid, "parents": lambda a: connection([{"oid": p} for p in parents], a)}

    def events(self, item, types):
        found = [{"__typename": "CrossReferencedEvent", "source": self.item(number),
                  "willCloseTarget": item["number"] in self.world.items[number].get("closes", [])}
                 for number in item["referenced_by"]]
        closer = item.get("closed_by")
        if closer:
            found.append({"__typename": "ClosedEvent",
                          "closer": self.commit(closer) if isinstance(closer, str) else self.item(closer)})
        wanted = {EVENT_TYPES[name] for name in types or EVENT_TYPES}
        return [event for event in found if event["__typename"] in wanted]

    def query(self, errors):
        def node(arguments):
            return nodes({"ids": [arguments["id"]]})[0]

        def nodes(arguments):
            if len(arguments["ids"]) > 100:
                raise QueryError("You may not provide more than 100 node ids")
            found = []
            for index, node_id in enumerate(arguments["ids"]):
                item = self.world.by_node_id(node_id)
                if item is None or item.get("gone"):
                    errors.append({"type": "NOT_FOUND", "path": ["nodes", index],
                                   "message": f"Could not resolve to a node with the global id of '{node_id}'"})
                    item = None
                found.append(item and self.item(item["number"]))
            return found

        def repository(arguments):
            same = f"{arguments['owner']}/{arguments['name']}" == self.world.repository
            return self.repository() if same else None
        return {"nodes": nodes, "node": node, "repository": repository,
                "rateLimit": {"cost": 1, "limit": 5000, "remaining": self.world.rate["graphql"],
                              "resetAt": self.world.now}}


def possible(type_name):
    return UNIONS.get(type_name, {type_name})


def select(type_name, value, selections, variables, path, errors):
    if value is None:
        return None
    actual = value.get("__typename", type_name)
    result = {}
    for selection in selections:
        if isinstance(selection, Fragment):
            if selection.type_name not in possible(type_name):
                raise QueryError(f"Fragment on {selection.type_name} can't be spread inside {type_name}")
            checked = select(selection.type_name, value, selection.selections, variables, path, errors) \
                if actual == selection.type_name else {}
            result.update(checked)
            continue
        assert isinstance(selection, Field)
        if selection.name == "__typename":
            result[selection.alias] = actual
            continue
        entry = SCHEMA.get(type_name, {}).get(selection.name)
        if entry is None:
            raise QueryError(f"Field '{selection.name}' doesn't exist on type '{type_name}'")
        field_type, allowed = (entry, set()) if isinstance(entry, str) else entry
        if extra := set(selection.arguments) - allowed:
            raise QueryError(f"Field '{selection.name}' doesn't accept argument '{sorted(extra)[0]}'")
        arguments = {key: given(argument, variables) for key, argument in selection.arguments.items()}
        if "first" in allowed and not 1 <= arguments.get("first", 0) <= 100:
            raise QueryError(f"You must provide a `first` value between 1 and 100 on the `{selection.name}` connection")
        child = value.get(selection.name)
        child = child(arguments) if callable(child) else child
        where = path + [selection.alias]
        inner = field_type.strip("[]")
        composite = inner in SCHEMA or inner in UNIONS
        if composite != (selection.selections is not None):
            raise QueryError(f"Field '{selection.name}' {'must' if composite else 'can not'} have selections")
        if not composite:
            result[selection.alias] = child
        elif field_type.startswith("["):
            result[selection.alias] = [select(inner, element, selection.selections, variables, where + [index], errors)
                                       for index, element in enumerate(child)]
        else:
            if child is None and selection.name == "issueOrPullRequest":
                errors.append({"type": "NOT_FOUND", "path": where, "message":
                               f"Could not resolve to an issue or pull request with the number of {arguments['number']}."})
            result[selection.alias] = select(inner, child, selection.selections, variables, where, errors)
    return result


def given(argument, variables):
    if isinstance(argument, list):
        return [given(value, variables) for value in argument]
    if not isinstance(argument, Variable):
        return argument
    if argument.name not in variables:
        raise QueryError(f"Variable ${argument.name} was not provided")
    return variables[argument.name]


def execute(world, text, variables):
    """The body of the answer; `errors` alone when the query is refused as a whole."""
    try:
        declared, selections = Parser(text).document()
        if set(declared) != set(variables):
            raise QueryError(f"Variables {sorted(set(declared) ^ set(variables))} do not match the declaration")
        errors = []
        data = select("Query", Answers(world).query(errors), selections, variables, [], errors)
        return {"data": data, **({"errors": errors} if errors else {})}
    except QueryError as error:
        return {"errors": [{"message": str(error), "extensions": {"code": "undefinedField"}}]}
