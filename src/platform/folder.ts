import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing, each with this mode; one that is there stays as it is. Throws the
 * system's error. Node's own `recursive` never ends below /proc, where nothing can be made.
 */
export const makeFolder = async (path: string, mode = 0o777): Promise<void> => {
  const above = dirname(resolve(path))
  if (!(await isThere(above))) await makeFolder(above, mode)
  await mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  })
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
