// Builds the page: one HTML file with script and style inside, and places for the data.
//   node build.mjs MODULES OUT [--test FILE...]
// MODULES is a folder with node_modules (as `npm ci` leaves it); OUT receives page.html, or with --test one bundle for
// each test, to be run by `node --test`.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {deflateSync} from 'node:zlib';

const [modules, out, ...rest] = process.argv.slice(2);
if (!modules || !out) throw new Error('usage: node build.mjs MODULES OUT [--test FILE...]');
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(resolve(modules), 'package.json'));
const esbuild = require('esbuild');
const common = {
  bundle: true,
  nodePaths: [join(resolve(modules), 'node_modules')],
  logLevel: 'warning',
  write: false,
  outdir: resolve(out),
  legalComments: 'none',
  charset: 'ascii',
};

mkdirSync(out, {recursive: true});
if (rest[0] === '--test') {
  const result = esbuild.buildSync({
    ...common,
    entryPoints: rest.slice(1).map((f) => resolve(f)),
    platform: 'node',
    format: 'esm',
    target: 'node18',
    loader: {'.css': 'empty'},
  });
  for (const file of result.outputFiles)
    writeFileSync(join(out, basename(file.path).replace(/\.js$/, '.mjs')), file.text);
} else {
  const result = esbuild.buildSync({
    ...common,
    entryPoints: [join(here, 'src/main.ts')],
    platform: 'browser',
    format: 'iife',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    minify: true,
  });
  const text = (suffix) => result.outputFiles.find((f) => f.path.endsWith(suffix)).text;
  // Both are under the MIT licence, which asks that its notice travels with them.
  const notice = ['three', 'uplot']
    .map((name) => {
      const folder = join(modules, 'node_modules', name);
      const {version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}`;
    })
    .join('\n\n')
    .replaceAll('--', '- -');
  const page = readFileSync(join(here, 'src/page.html'), 'utf8')
    .replace('{{style}}', () => text('.css').trim())
    .replace('{{notice}}', () => `<!-- contains\n${notice}\n-->\n`)
    // A quarter of its size, in every report that is sent; a small script in page.html unpacks it.
    .replace('{{script}}', () => deflateSync(text('.js'), {level: 9}).toString('base64'));
  writeFileSync(join(out, 'page.html'), page);
}
