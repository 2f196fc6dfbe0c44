// GitHub's own description, schema and client against the fake server.
// Usage: node octokit.mjs NODE_MODULES validate < [{"path": "/repos/{owner}/{repo}/issues", "status": 200, "body": ...}]
//        node octokit.mjs NODE_MODULES queries < ["query ..."]
//        node octokit.mjs NODE_MODULES page BASE OWNER/NAME ROUTE
// `validate` and `queries` print one line for each finding, with exit status 1 when there is any; `page` prints what
// Octokit's pagination brings, as a JSON list.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, mode, ...rest] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'x.js'));
const load = (name) => import(pathToFileURL(resolve(modules, name)));
const input = async () => {
  let text = '';
  for await (const part of process.stdin) text += part;
  return JSON.parse(text);
};

// OpenAPI 3.0 writes `nullable` where JSON Schema has a type null.
function asJsonSchema(schema) {
  if (Array.isArray(schema)) return schema.map(asJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result = {};
  for (const [key, value] of Object.entries(schema))
    if (typeof value !== 'boolean' || key !== 'nullable') result[key] = key === 'enum' || key === 'example' ? value : asJsonSchema(value);
  return schema.nullable === true ? { anyOf: [{ type: 'null' }, result] } : result;
}

async function validate() {
  const description = JSON.parse(await readFile(resolve(modules, '@octokit/openapi/generated/api.github.com.json'), 'utf8'));
  const asked = await input();
  const answers = {};  // beside the components, so that references find them
  for (const { path, status } of asked) {
    let answer = description.paths[path]?.get.responses[String(status)];
    if (answer?.$ref) answer = description.components.responses[answer.$ref.split('/').at(-1)];
    answers[`${status}${path.replaceAll(/\W/g, '_')}`] = answer?.content['application/json'].schema ?? false;
  }
  const Ajv = require('ajv').default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  require('ajv-formats').default(ajv);
  ajv.addSchema({ $id: 'github', ...asJsonSchema({ components: { schemas: description.components.schemas }, answers }) });
  const findings = [];
  for (const { path, status, body } of asked) {
    const check = ajv.getSchema(`github#/answers/${status}${path.replaceAll(/\W/g, '_')}`);
    if (!check(body)) findings.push(...check.errors.map((e) => `${status} ${path}: ${e.instancePath} ${e.message}`));
  }
  return findings;
}

async function queries() {
  const { buildSchema, parse, validate } = require('graphql');
  const text = await readFile(resolve(modules, '@octokit/graphql-schema/schema.graphql'), 'utf8');
  const schema = buildSchema(text, { assumeValidSDL: true });  // GitHub names some fields twice
  return (await input()).flatMap((query) => validate(schema, parse(query)).map((error) => `${error.message} in ${query.slice(0, 60)}`));
}

async function page(base, repository, route) {
  const { Octokit } = await load('@octokit/core/dist-src/index.js');
  const { paginateRest } = await load('@octokit/plugin-paginate-rest/dist-bundle/index.js');
  const octokit = new (Octokit.plugin(paginateRest))({ baseUrl: base, auth: 'secret' });
  const [owner, repo] = repository.split('/');
  console.log(JSON.stringify(await octokit.paginate(`GET ${route}`, { owner, repo })));
}

if (mode === 'page') {
  await page(...rest);
} else {
  const findings = await { validate, queries }[mode]();
  for (const finding of new Set(findings)) console.log(finding);
  process.exitCode = findings.length ? 1 : 0;
}
