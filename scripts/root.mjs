import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, from any working directory. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))
