import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { auditSchool } from '../../src/app/audit-school'
import { backupSchool } from '../../src/app/backup-school'
import { restoreSchool } from '../../src/app/restore-school'
import { addStudent } from '#contracts/identity'
import { StartError } from '#platform/start-error'
import { openFinance } from '../audit/finance'
import type { Finance } from '../audit/finance'
import { logContents, tableContents } from '../support/school-contents'
import { emptySchool } from '../support/second-school'
import { silentLog } from '../support/start-postgres'

type Place = Awaited<ReturnType<typeof emptySchool>>

let school: Finance
let archive: string
let made: Awaited<ReturnType<typeof backup>>
const places: Place[] = []

const quiet = { onProgress: () => undefined }
const backup = (path: string) =>
  backupSchool(
    school.infrastructure,
    { SCHOOL_NAME: 'Lusaka Test School', EVENTSTORE_URL: undefined },
    { path, modules: school.modules, now: school.now, ...quiet },
  )
const emptyPlace = async (variables: Record<string, string> = {}) => {
  const place = await emptySchool(school.now, variables)
  places.push(place)
  return place
}
const restore = (place: Place, path = archive) =>
  restoreSchool(place.infrastructure, place.config, { path, modules: place.modules, ...quiet })

beforeAll(async () => {
  school = await openFinance()
  const mwila = await school.signIn('mwila', 'parent-password')
  // A line separator, which ends a line for some readers and not for JSON.
  await mwila.call(addStudent, { body: { name: 'Chanda\u2028Mwila', grade: '3' } })
  await school.settled()
  archive = join(school.dataDir, 'school.tuckshop.gz')
  made = await backup(archive)
}, 60_000)
afterAll(async () => {
  for (const { close } of places) await close()
  await school.close()
})

test('what a school holds is in the archive part by part, for the owner alone to read', async () => {
  const rows = Object.fromEntries(made.parts.map((part) => [part.part, part.rows]))
  expect(rows).toMatchObject({ 'table identity.users': 4, 'table catalogue.menu_items': 2 })
  expect(rows['events']).toBeGreaterThan(10)
  expect(rows['chain']).toBe(rows['events'])
  const parts = Object.keys(rows).join(' ')
  expect(parts).not.toMatch(/ordering\.orders|payments\.attempts|audit\.entries|sessions|rate_limits/)
  expect((await stat(archive)).mode & 0o777).toBe(0o600)
})

test('it is not written over', async () => {
  await expect(backup(archive)).rejects.toThrow(
    new StartError(`The file ${archive} is there already: give another name.`),
  )
  expect((await readFile(archive)).length).toBeGreaterThan(1_000)
})

test('restored elsewhere, every table, every event and the chain are the same, and the books balance', async () => {
  const place = await emptyPlace()
  const steps = new Set<string>()
  const onProgress = (what: string) => void steps.add(what)
  const restored = await restoreSchool(place.infrastructure, place.config, {
    path: archive,
    modules: place.modules,
    onProgress,
  })
  expect(restored).toMatchObject({ head: { school: 'Lusaka Test School' }, fingerprint: made.fingerprint })
  expect([...steps]).toEqual(['Checking', 'Restoring', 'Read models'])
  expect(await tableContents(place.infrastructure.database.pool)).toEqual(
    await tableContents(school.infrastructure.database.pool),
  )
  expect(await logContents(place.infrastructure.eventStore)).toEqual(
    await logContents(school.infrastructure.eventStore),
  )
  const audit = await auditSchool(place.infrastructure, place.config, {
    log: silentLog,
    now: school.now,
    against: null,
    onProgress: () => undefined,
  })
  expect(audit).toMatchObject({ exitCode: 0 })
})
