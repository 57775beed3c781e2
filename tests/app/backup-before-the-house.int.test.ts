import { join } from 'node:path'
import { auditSchool } from '../../src/app/commands/audit-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { emptySchool } from '../support/school'
import { silentLog } from '../support/start-postgres'

const archivePath = join(__dirname, '../golden/backup-before-the-house.tuckshop.gz')
const now = () => new Date('2026-09-16T09:00:00.000Z')
const onProgress = () => undefined

// The backup was made while 56 migrations led to the schema that is one file a context now.
test('a backup from before the schema was written down anew is restored, and its books balance', async () => {
  const place = await emptySchool(now)
  const archive = await checkArchive(archivePath, onProgress)
  await restoreSchool(place.infrastructure, place.config, { archive, modules: place.modules, onProgress })
  const { rows } = await place.infrastructure.database.pool.query(
    'select count(*)::int as events from audit.chain',
  )
  expect(rows).toEqual([{ events: archive.events }])
  const audit = { log: silentLog, now, against: null, onProgress }
  expect(await auditSchool(place.infrastructure, place.config, audit)).toMatchObject({ exitCode: 0 })
  await place.close()
})
