import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './root.mjs'

const commands = join(root, 'src/app/commands')

const migrations = join(root, 'migrations')

const filesBesideTheCode = {
  name: 'files-beside-the-code',
  buildStart() {
    for (const name of readdirSync(migrations)) this.addWatchFile(join(migrations, name))
  },
  writeBundle: ({ dir }) => {
    cpSync(migrations, join(dir, 'migrations'), { recursive: true })
    cpSync(join(root, 'demo-pictures'), join(dir, 'demo-pictures'), { recursive: true })
  },
}

/** Bundles each src/app/commands/*-main.ts; packages stay external. */
export const serverBundle = () => ({
  cwd: root,
  input: readdirSync(commands)
    .filter((name) => name.endsWith('-main.ts'))
    .map((name) => join(commands, name)),
  platform: 'node',
  plugins: [filesBesideTheCode],
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
