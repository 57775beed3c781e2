import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '#contracts/endpoint'

const folder = join(__dirname, '../../src/contracts')

/** Every contract that src/contracts exports, in whatever file. */
export const allContracts = (): Endpoint[] =>
  readdirSync(folder)
    .flatMap((file) => Object.values(require(join(folder, file)) as Record<string, Endpoint>))
    .filter((value) => value && value.method && value.path && value.reply)
