import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A small file of a bank or provider, as somebody downloaded it. */
export const bankFile = (name: string): Buffer => readFileSync(join(__dirname, 'bank-files', name))
