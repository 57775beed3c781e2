import { auditEntries, type AuditKind, type ChangeDetails } from '#contracts/audit'
import { savePaymentBypass } from '#contracts/payments'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { airtelAndBank } from '../payments/alternative-words'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const entries = async (kind: AuditKind) =>
  (await canteen.superadminClient.call(auditEntries, { query: { kind, limit: 100 } })).data

/** The entry of that kind whose sentence has these words, once it is in the history and in the chain. */
const entry = (kind: AuditKind, words: string) =>
  eventually(async () => {
    const found = (await entries(kind)).find(({ what, number }) => what.includes(words) && number !== null)
    if (!found) throw new Error(`No ${kind} "${words}" in the history`)
    const { who, what, hash, details } = found
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    return { who, what, ...(details as ChangeDetails) }
  })

test('payment settings: what stood there before, and what stands there now', async () => {
  const clerk = await canteen.administrator('clerk', 'settings')
  await canteen.superadminClient.call(savePaymentBypass, {
    body: { ...airtelAndBank, enabled: false, currentPassword: superadminPassword },
  })
  await entry('settings', 'Payment settings changed')
  const mtnMoney = { name: 'Mallory', number: '0966 000 000' }
  await clerk.call(savePaymentBypass, {
    body: { ...airtelAndBank, enabled: false, mtnMoney, currentPassword: 'admin-password' },
  })
  await eventually(async () => expect(await entries('settings')).toHaveLength(2))
  expect(await entry('settings', 'Payment settings changed')).toEqual({
    who: 'clerk',
    what: 'Payment settings changed',
    old: { mtnMoney: airtelAndBank.mtnMoney },
    new: { mtnMoney },
  })
})

test('saved again without a change, they leave nothing in the history', async () => {
  const before = await entries('settings')
  const { mtnMoney } = before[0]!.details['new'] as unknown as { mtnMoney: { name: string; number: string } }
  await canteen.superadminClient.call(savePaymentBypass, {
    body: { ...airtelAndBank, enabled: false, mtnMoney },
  })
  await canteen.superadminClient.call(savePaymentBypass, {
    body: { ...airtelAndBank, enabled: true, mtnMoney },
  })
  await eventually(async () =>
    expect((await entries('settings'))[0]?.details).toMatchObject({ new: { enabled: true } }),
  )
  expect(await entries('settings')).toHaveLength(before.length + 1)
})
