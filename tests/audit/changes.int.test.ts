import { Secret, TOTP } from 'otpauth'
import {
  setAdminStatus,
  setPassword,
  setPermissions,
  createParent,
  deleteAnyStudent,
  updateParent,
  removeSecondFactor,
} from '#contracts/accounts'
import { auditEntries, type AuditKind, type ChangeDetails } from '#contracts/audit'
import { createCycle, deactivateCycle, reactivateCycle, saveCutoff } from '#contracts/cycles'
import {
  addStudent,
  beginSecondFactor,
  confirmSecondFactor,
  convertToTeacher,
  currentUser,
  deleteStudent,
  saveCommunication,
  saveSecurity,
  updateProfile,
} from '#contracts/identity'
import { deleteDiscountCode, listDiscountCodes, updateDiscountCode } from '#contracts/order-reports'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { changeRecorded } from '#modules/audit/changes/append-changes.commands'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { airtelAndBank } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'
import { logContents } from '../support/school-contents'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const entries = async (kind: AuditKind) =>
  (await canteen.superadminClient.call(auditEntries, { query: { kind, limit: 100 } })).data

/** Changes get into the history by a sweep; it runs where they are not there yet. */
const tellChanges = () => canteen.sweepNamed('append-changes')
const toldUntil = <Seen>(look: () => Promise<Seen>) =>
  eventually(async () => {
    const seen = await look().catch(() => false as const)
    if (seen !== false) return seen
    await tellChanges()
    return look()
  })

/** The entry of that kind whose sentence has these words, once it is in the history and in the chain. */
const entry = (kind: AuditKind, words: string) =>
  toldUntil(async () => {
    const found = (await entries(kind)).find(({ what, number }) => what.includes(words) && number !== null)
    if (!found) throw new Error(`No ${kind} "${words}" in the history`)
    const { who, what, hash, details } = found
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    return { who, what, ...(details as ChangeDetails) }
  })

/** The recorded changes as the event store holds them. */
const recordedChanges = async () =>
  (await logContents(canteen.infrastructure.eventStore)).filter(({ type }) => type === changeRecorded.type)

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
  await toldUntil(async () => expect(await entries('settings')).toHaveLength(2))
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
  await toldUntil(async () =>
    expect((await entries('settings'))[0]?.details).toMatchObject({ new: { enabled: true } }),
  )
  expect(await entries('settings')).toHaveLength(before.length + 1)
})

test('discount codes are settings', async () => {
  const { userId } = await canteen.family('mwila')
  const { superadminClient: office } = canteen
  const { id, code } = await canteen.discount(userId, 10)
  await office.call(updateDiscountCode, { params: { id }, body: { isActive: false } })
  await office.call(deleteDiscountCode, { params: { id } })
  const values = { code, discountPercentage: 10 }
  const named = `Discount code ${code} of mwila`
  const by = { who: 'superadmin' }
  expect(await entry('settings', `${named} made`)).toEqual({
    ...by,
    what: `${named} made`,
    old: null,
    new: { ...values, isActive: true },
  })
  expect(await entry('settings', `${named} switched off`)).toMatchObject({
    old: { isActive: true },
    new: { isActive: false },
  })
  expect(await entry('settings', `${named} deleted`)).toMatchObject({
    old: { ...values, isActive: false },
    new: null,
  })
  expect((await office.call(listDiscountCodes)).data).toEqual([])
})

test('contact details, what is demanded of accounts, the cutoff and the ordering rules are settings', async () => {
  const { superadminClient: office } = canteen
  const contact = { supportEmail: 'office@example.org', whatsappNumber: '' }
  await office.call(saveCommunication, { body: contact })
  await office.call(saveSecurity, {
    body: { requireSecondFactor: false, maxChildren: 5, maxUnpaidMeals: 40 },
  })
  await office.call(saveCutoff, { body: { hour: 9, minute: 30 } })
  expect(await entry('settings', 'Contact details')).toMatchObject({
    old: { supportEmail: '' },
    new: { supportEmail: contact.supportEmail },
  })
  expect(await entry('settings', 'Security settings')).toMatchObject({
    old: { maxChildren: 12 },
    new: { maxChildren: 5 },
  })
  expect(await entry('settings', "a day's orders close")).toMatchObject({
    old: { hour: 8, minute: 0 },
    new: { hour: 9, minute: 30 },
  })
  const rules = await office.call(getOrderingRules)
  await office.call(saveOrderingRules, { body: { ...rules, cancelUntil: 'cutoff', absencePercent: 50 } })
  expect(await entry('settings', 'Ordering rules')).toMatchObject({
    old: { cancelUntil: 'hour', absencePercent: 100 },
    new: { cancelUntil: 'cutoff', absencePercent: 50 },
  })
})

test('administrators: made, rights, disabled, enabled', async () => {
  const { superadminClient: office } = canteen
  const chef = await canteen.administrator('chef', 'kitchen')
  const { id } = await chef.call(currentUser)
  const params = { id }
  await office.call(setPermissions, { params, body: { features: ['kitchen', 'menu'] } })
  await office.call(setAdminStatus, { params, body: { disabled: true } })
  await office.call(setAdminStatus, { params, body: { disabled: false } })
  expect(await entry('accounts', 'Administrator chef made')).toMatchObject({
    who: 'superadmin',
    old: null,
    new: { features: ['kitchen'] },
  })
  expect(await entry('accounts', 'Rights of chef changed')).toMatchObject({
    old: { features: ['kitchen'] },
    new: { features: ['kitchen', 'menu'] },
  })
  expect(await entry('accounts', 'Administrator chef disabled')).toMatchObject({ new: { disabled: true } })
  expect(await entry('accounts', 'Administrator chef enabled')).toMatchObject({ new: { disabled: false } })
})

test('passwords: that they were set, and by whom, and nothing of them', async () => {
  const { superadminClient: office } = canteen
  const { userId, parent } = await canteen.family('natasha')
  await parent.call(updateProfile, {
    body: {
      name: 'Natasha',
      currentPassword: 'parent-password',
      newPassword: 'violet-tractor-31',
      confirmPassword: 'violet-tractor-31',
    },
  })
  await office.call(setPassword, { params: { id: userId }, body: { password: 'violet-tractor-32' } })
  await office.call(updateParent, {
    params: { id: userId },
    body: { username: 'natasha', name: 'Natasha', email: 'n@example.org', password: 'violet-tractor-33' },
  })
  const secret = { old: null, new: null }
  expect(await entry('accounts', 'Own password changed')).toMatchObject({ who: 'natasha', ...secret })
  expect(await entry('accounts', 'Password of natasha set')).toMatchObject({ who: 'superadmin', ...secret })
  expect(await entry('accounts', 'Email address of natasha set')).toMatchObject(secret)
  const all = JSON.stringify(await recordedChanges())
  expect(all).toContain('{user:')
  expect(all).not.toMatch(/violet|argon2|natasha|n@example/i)
})

test('where the mails of an administrator go: that it changed, not what it is', async () => {
  const cook = await canteen.administrator('mutinta', 'kitchen')
  await cook.call(updateProfile, {
    body: {
      name: 'Mutinta',
      email: 'mutinta@example.org',
      phone: '0977123456',
      currentPassword: 'admin-password',
    },
  })
  const secret = { who: 'mutinta', old: null, new: null }
  expect(await entry('accounts', 'Own email address changed')).toMatchObject(secret)
  expect(await entry('accounts', 'Own phone changed')).toMatchObject(secret)
  expect(JSON.stringify(await recordedChanges())).not.toMatch(/mutinta@example|0977123456/)
})

test('a second factor that is set up, and one that superadmin removes', async () => {
  const { superadminClient: office } = canteen
  const cook = await canteen.administrator('bwalya', 'kitchen')
  const { id } = await cook.call(currentUser)
  const { secret } = await cook.call(beginSecondFactor, { body: { currentPassword: 'admin-password' } })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: canteen.now().getTime(),
  })
  const { recoveryCodes } = await cook.call(confirmSecondFactor, { body: { code } })
  await office.call(removeSecondFactor, { params: { id } })
  expect(await entry('accounts', 'Own second factor set up')).toMatchObject({ who: 'bwalya' })
  expect(await entry('accounts', 'Second factor of bwalya removed')).toMatchObject({ who: 'superadmin' })
  const all = JSON.stringify(await recordedChanges())
  for (const hidden of [secret, ...recoveryCodes]) expect(all).not.toContain(hidden)
})

test('who came and went: superadmin at the first start, a family by an administrator, a single child', async () => {
  const { superadminClient: office } = canteen
  const { userId, parent } = await canteen.family('zulu')
  const body = { username: 'by-office', password: 'violet-tractor-34', name: 'Chanda' }
  await office.call(createParent, { body })
  const children = await Promise.all(
    ['Thabo', 'Luyando'].map((name) => parent.call(addStudent, { body: { name, grade: '1' as const } })),
  )
  await parent.call(deleteStudent, { params: { id: children[0]!.id } })
  await office.call(deleteAnyStudent, { params: { id: children[1]!.id }, query: {} })
  expect(await entry('accounts', 'made at the first start')).toMatchObject({
    who: 'command start',
    what: 'Administrator superadmin made at the first start',
  })
  expect(await entry('accounts', 'Account of by-office made')).toMatchObject({ who: 'superadmin' })
  const deleted = children.map(({ id }) => entry('accounts', `Student ${id} of zulu deleted`))
  expect(await Promise.all(deleted)).toMatchObject([{ who: 'zulu' }, { who: 'superadmin' }])
  const all = JSON.stringify(
    (await recordedChanges()).filter(({ data }) => JSON.stringify(data).includes(`{user:${userId}}`)),
  )
  expect(all).not.toMatch(/Thabo|Luyando/)
})

test('a parent who becomes a teacher', async () => {
  const { parent } = await canteen.family('phiri')
  await parent.call(convertToTeacher)
  expect(await entry('accounts', "Account of phiri became a teacher's")).toMatchObject({
    who: 'phiri',
    old: { role: 'parent' },
    new: { role: 'teacher' },
  })
})

test('cycles with their blocked days', async () => {
  const { superadminClient: office, cycle } = canteen
  const named = `Order cycle ${cycle.id} from 2026-09-14`
  expect(await entry('cycles', `${named} made`)).toMatchObject({
    old: null,
    new: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [{ week: 2, day: 3 }] },
  })
  await office.call(deactivateCycle, { params: { id: cycle.id } })
  await office.call(reactivateCycle, { params: { id: cycle.id } })
  expect(await entry('cycles', `${named} ended`)).toMatchObject({ new: { isActive: false } })
  expect(await entry('cycles', `${named} active again`)).toMatchObject({ new: { isActive: true } })
  const body = { startDate: '2026-10-12', cycleLength: 4 as const, blockedDays: [] }
  await expect(office.call(createCycle, { body })).rejects.toThrow()
  expect(await entries('cycles')).toHaveLength(3)
})

test('menu items, and all of it in the export', async () => {
  const made = await entry('catalogue', 'Menu item "Stew" made')
  expect(made).toMatchObject({ who: 'superadmin', old: null, new: { price: '45.50' } })
  const file = await (await canteen.superadminClient.fetch('/api/audit/export?kind=settings')).text()
  expect(file).toMatch(/Discount code \S+ of mwila deleted","settings",/)
  expect(file).not.toContain('Menu item')
})
