import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, wherever the command was given from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))
