import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

export const builtMark = join(root, 'dist/.built')

const sources = [
  'src',
  'web',
  'migrations',
  'demo-pictures',
  'scripts',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
]

const changedAfter = (path, time) => {
  if (!existsSync(path)) return false
  const about = statSync(path)
  // A folder's own time shows removed files.
  if (about.mtimeMs > time) return true
  return about.isDirectory() && readdirSync(path).some((name) => changedAfter(join(path, name), time))
}

/** True when a build exists and no source is newer; an image has no sources and counts as fresh. */
const isFresh = () => {
  if (!existsSync(builtMark)) return false
  const built = statSync(builtMark).mtimeMs
  return !existsSync(join(root, 'src')) || !sources.some((name) => changedAfter(join(root, name), built))
}

export const ensureBuilt = async () => {
  if (isFresh()) return
  if (!existsSync(join(root, 'node_modules/rolldown')) || !existsSync(join(root, 'node_modules/vite'))) {
    console.error(
      'There is no build, and the packages that make one are not installed: run npm ci --include=dev.',
    )
    process.exit(1)
  }
  console.error('Building …')
  const code = await runNode('scripts/build.mjs')
  if (code !== 0) {
    console.error('The build failed; see above.')
    process.exit(1)
  }
}

/** Runs a script in its own process, which ends with this one. */
const runNode = (script) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script)], { cwd: root, stdio: ['ignore', 2, 2] })
    const end = (signal) => {
      child.kill(signal)
      process.exit(1)
    }
    process.once('SIGTERM', end).once('SIGINT', end)
    child.once('exit', (code) => {
      process.removeListener('SIGTERM', end).removeListener('SIGINT', end)
      resolve(code ?? 1)
    })
  })
