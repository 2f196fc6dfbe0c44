// Validates action.yml and workflows with GitHub's own language service, and that every step with `uses: ./` gives
// only inputs that action.yml has. Prints one line for each finding; exit status 1 when there is any.
// Usage: node --import ./json_modules.mjs actions_lint.mjs NODE_MODULES ACTION_YML WORKFLOW...
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, action, ...workflows] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(modules, path)));
const { validate } = await load('@actions/languageservice/dist/index.js');
const { TextDocument } = (await load('vscode-languageserver-textdocument/lib/umd/main.js')).default;
const yaml = (await load('yaml/dist/index.js')).default;

let findings = 0;
const report = (file, line, message) => {
  console.log(`${file}:${line}: ${message}`);
  ++findings;
};

// The service tells an action from a workflow by its path, and caches by it.
async function check(file, uri) {
  const document = TextDocument.create(uri, 'yaml', 1, await readFile(file, 'utf8'));
  for (const { message, range } of await validate(document)) report(file, range.start.line + 1, message);
  return yaml.parse(document.getText());
}

const inputs = new Set(Object.keys((await check(action, 'file:///repository/action.yml'))?.inputs ?? {}));
for (const file of workflows) {
  const workflow = await check(file, `file:///repository/.github/workflows/${basename(file)}`);
  for (const [name, job] of Object.entries(workflow?.jobs ?? {}))
    for (const step of job?.steps ?? [])
      if (step?.uses === './')
        for (const key of Object.keys(step.with ?? {}))
          if (!inputs.has(key)) report(file, 0, `job ${name}: action.yml has no input '${key}'`);
}
console.log(`${findings} findings`);
process.exitCode = findings ? 1 : 0;
