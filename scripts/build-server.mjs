import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './root.mjs'

const entries = (folder, ending, to = '') =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => [`${to}${name.slice(0, -'.ts'.length)}`, join(root, folder, name)])

/**
 * How each src/app/commands/*-main.ts becomes dist/server/*-main.js, and each migration dist/server/migrations/*.js:
 * packages stay outside, `#room/…` imports are resolved.
 */
export const serverBundle = () => ({
  cwd: root,
  input: Object.fromEntries([
    ...entries('src/app/commands', '-main.ts'),
    ...entries('migrations', '.ts', 'migrations/'),
  ]),
  platform: 'node',
  external: /^(?!#)[^./].*/,
  output: {
    dir: join(root, 'dist/server'),
    cleanDir: true,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
})

export const buildServer = () => build(serverBundle())
