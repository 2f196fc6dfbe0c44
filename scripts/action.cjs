// The action's main: starts the static binary, with no shell and no dependency. Inputs reach it as INPUT_*; the
// token as GITHUB_TOKEN, and only where a command may use it. The runner's own tokens reach `upload` alone.
'use strict';
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');

const WITH_TOKEN = new Set(['run', 'spot', 'recheck', 'collect', 'settle', 'file', 'doctor', 'upload']);
const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] || '').trim();
// One line, so that no text of a message can become a second workflow command.
const say = (kind, text) => console.log(`::${kind}::${text.replace(/%/g, '%25').replace(/[\r\n]+/g, ' ')}`);

const command = input('command') || 'run';
const env = { ...process.env };
for (const name of Object.keys(env)) {
  const runners = /^ACTIONS_.*(TOKEN|URL)$/.test(name) && command !== 'upload';
  if (runners || /^(GITHUB_TOKEN|GH_TOKEN|INPUT_(GITHUB-TOKEN|ARGUMENTS|COMMAND))$/.test(name)) delete env[name];
}
if (WITH_TOKEN.has(command) && input('github-token')) env.GITHUB_TOKEN = input('github-token');

const lines = input('arguments').split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
const child = spawn(input('binary') || 'xpu-align', [command, ...lines], { env, stdio: 'inherit', shell: false });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  say('error', `xpu-align could not be started: ${error.message}; set the input "binary"`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  const status = code ?? (signal === 'SIGINT' ? 130 : 70);  // killed: interrupted, or a bug
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `exit-code=${status}\n`);
  const warn = status === 3 && input('incomplete') === 'warn';
  if (warn) say('warning', `${command} is incomplete; the report has a progress checkpoint`);
  process.exitCode = warn ? 0 : status;
});
