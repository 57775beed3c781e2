import { existsSync } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Creates missing folders with this mode. Node's `recursive` never returns below /proc. */
export const makeFolder = async (path: string, mode = 0o777): Promise<void> => {
  const above = dirname(resolve(path))
  if (!(await isThere(above))) await makeFolder(above, mode)
  await mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  })
}

/** A folder of the repository that the build copies beside the bundle. `from`: the address of a source file three folders deep. */
export const shippedFolder = (name: string, from: string): string =>
  [name, `../../../${name}`].map((path) => fileURLToPath(new URL(path, from))).find(existsSync)!

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
