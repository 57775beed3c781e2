import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableOfPart } from '../../src/app/backup/backup-school'

const migrations = join(__dirname, '../../migrations')
const tables = readdirSync(migrations)
  .flatMap((file) => [...readFileSync(join(migrations, file), 'utf8').matchAll(/create table (\w+\.\w+)/g)])
  .map(([, table]) => table)

/** Tables of archives made before each module had a schema of its own. */
test.each([
  ['identity.allergens', 'catalogue.allergens'],
  ['identity.allergy_rule', 'catalogue.allergy_rule'],
  ['identity.communication', 'messaging.communication'],
  ['identity.message_settings', 'messaging.message_settings'],
  ['identity.sms_days', 'messaging.sms_days'],
  ['identity.mail_outbox', 'messaging.mail_outbox'],
  ['payments.statements', 'transfers.statements'],
  ['payments.statement_rows', 'transfers.statement_rows'],
  ['payments.statement_left_out', 'transfers.statement_left_out'],
  ['payments.statement_mappings', 'transfers.statement_mappings'],
  ['payments.lapse_mails', 'transfers.lapse_mails'],
  ['identity.claim_codes', 'enrolment.claim_codes'],
  ['identity.roll_imports', 'enrolment.roll_imports'],
  ['identity.deletions', 'enrolment.deletions'],
  ['identity.promotions', 'enrolment.promotions'],
  ['identity.promoted_students', 'enrolment.promoted_students'],
])('rows of %s in an archive go to %s', (before, now) => {
  expect(tableOfPart(`table ${before}`)).toBe(now)
  expect(tables).toContain(now)
  expect(tables).not.toContain(before)
})

test('all other tables stand where they stood, and other parts are no tables', () => {
  expect(tableOfPart('table identity.users')).toBe('identity.users')
  expect(tableOfPart('events')).toBeNull()
})
