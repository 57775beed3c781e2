import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import type { Canteen } from '../ordering/canteen'
import { silentLog } from '../support/start-postgres'

/** What the audit of all that happened so far says, a moment later and when what is owed must have been settled. */
export const auditFindings = async (canteen: Pick<Canteen, 'infrastructure' | 'now'>) => {
  const found: string[] = []
  for (const hours of [0, 2]) {
    const lines = await audited(canteen, hours)
    found.push(...lines.slice(lines.indexOf('') + 1))
  }
  return [...new Set(found)]
}

const audited = async (
  { infrastructure, now }: Pick<Canteen, 'infrastructure' | 'now'>,
  hoursLater: number,
) => {
  const config = readConfig({ DATA_DIR: await mkdtemp(join(tmpdir(), 'tuckshop audit ')) })
  const later = () => new Date(now().getTime() + hoursLater * 3_600_000)
  const options = { log: silentLog, now: later, against: null, onProgress: () => undefined }
  return (await auditSchool(infrastructure, config, options)).lines
}

/** What the audit says beside it. */
export const auditNotes = async (canteen: Pick<Canteen, 'infrastructure' | 'now'>) =>
  (await audited(canteen, 0)).filter((line) => line.includes('asked back to cards'))

export const nothingWrong = ['Everything balances, and nothing was changed.']
