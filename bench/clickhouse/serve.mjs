// Runs ClickHouse in this process and serves the part of its HTTP interface that Sightline uses: node serve.mjs [PORT]
// [FOLDER]. Prints its address. Without a folder it stores nothing. Operators run the standard ClickHouse server.
import { createServer } from 'node:http';
import { Session } from 'chdb';

const [port = '0', folder] = process.argv.slice(2);
const session = folder === undefined ? new Session() : new Session(folder);
const databases = new Set();
// There is one connection, so statements run one at a time, and each selects its database again.
let turn = Promise.resolve();

const server = createServer(async (request, response) => {
  try {
    const mine = turn.then(() => answer(request));
    turn = mine.catch(() => undefined);
    response.end(await mine);
  } catch (error) {
    const [, code = '0'] = /Code: (\d+)/.exec(error.message) ?? [];
    response.writeHead(500, { 'x-clickhouse-exception-code': code });
    response.end(error.message);
  }
});
server.listen(Number(port), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(url);
  process.send?.({ url });
});
const end = () => {
  session.close();
  process.exit(0);
};
process.once('disconnect', end);
process.once('SIGTERM', end);
process.once('SIGINT', end);

async function answer(request) {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const database = request.headers['x-clickhouse-database'] ?? 'default';
  if (!databases.has(database)) {
    await session.queryAsync(`create database if not exists \`${database}\``);
    databases.add(database);
  }
  await session.queryAsync(`use \`${database}\``);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const inAddress = searchParams.get('query');
  if (inAddress !== null) {
    const result = await session.queryAsync(`${inAddress}\n${body.toString()}`);
    return result.text();
  }
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const values = {};
  for (const [name, value] of form) if (name.startsWith('param_')) values[name.slice(6)] = plain(value);
  const settings = ['max_execution_time', 'output_format_json_quote_64bit_integers']
    .filter((name) => searchParams.has(name))
    .map((name) => `${name} = ${Number(searchParams.get(name))}`);
  const text = `${form.get('query')}${settings.length > 0 ? ` settings ${settings.join(', ')}` : ''}`;
  const result = await session.queryBindAsync(text, values, {
    format: searchParams.get('default_format') ?? 'TabSeparated',
  });
  return result.text();
}

/** Reverts the escaping of tab-separated values. */
function plain(text) {
  const signs = { t: '\t', n: '\n', r: '\r' };
  return text.startsWith('[') ? text : text.replaceAll(/\\(.)/g, (_, sign) => signs[sign] ?? sign);
}
