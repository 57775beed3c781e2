import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './root.mjs'

/** How each src/app/commands/*-main.ts becomes dist/server/*-main.js: packages stay outside, `#room/…` imports are resolved. */
export const serverBundle = () => {
  const commands = join(root, 'src/app/commands')
  const mains = readdirSync(commands).filter((name) => name.endsWith('-main.ts'))
  return {
    cwd: root,
    input: Object.fromEntries(mains.map((name) => [name.slice(0, -'.ts'.length), join(commands, name)])),
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
  }
}

export const buildServer = () => build(serverBundle())
