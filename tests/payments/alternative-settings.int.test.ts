import { updateProfile } from '#contracts/identity'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { claimReference, referenceFor } from '#modules/payments/alternative/alternative.routes'
import { refused } from '../ordering/canteen'
import { attempt, otherAttempt } from '../ordering/lunches'
import { mailTo } from '../support/mails'
import { superadminPassword } from '../support/school'
import { openAlternativeCanteen, type AlternativeCanteen } from './alternative-canteen'
import { airtelAndBank } from './alternative-words'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

const blank = {
  enabled: false,
  beside: false,
  unpaidUntil: 'never',
  airtelMoney: { name: '', number: '' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}

test('the details are shown while in use; administrators see them always', async () => {
  const { parent } = await canteen.family('mwila')
  const cook = await canteen.administrator('cook', 'kitchen')
  expect(await canteen.set({ enabled: true })).toEqual(airtelAndBank)
  expect(await parent.call(getPaymentBypass)).toEqual(airtelAndBank)
  await canteen.set({ enabled: false })
  expect(await parent.call(getPaymentBypass)).toEqual(blank)
  expect(await cook.call(getPaymentBypass)).toEqual({ ...airtelAndBank, enabled: false })
  expect((await refused(canteen.visitor().call(getPaymentBypass))).status).toBe(401)
})

test('only administrators with the feature change them, and only as plain texts', async () => {
  const { parent } = await canteen.family('grace')
  const cook = await canteen.administrator('chef', 'kitchen')
  const clerk = await canteen.administrator('clerk', 'settings')
  for (const client of [parent, cook])
    expect((await refused(client.call(savePaymentBypass, { body: airtelAndBank }))).status).toBe(403)
  const long = { ...airtelAndBank, mtnMoney: { name: 'x'.repeat(201), number: '' } }
  expect((await refused(clerk.call(savePaymentBypass, { body: long }))).status).toBe(422)
  const padded = { ...airtelAndBank, mtnMoney: { name: ' Tuckshop ', number: '' } }
  expect(
    await clerk.call(savePaymentBypass, { body: { ...padded, currentPassword: 'admin-password' } }),
  ).toMatchObject({
    mtnMoney: { name: 'Tuckshop' },
  })
})

test('other details need the password of whoever changes them, and every superadmin hears of it', async () => {
  const { superadminClient } = canteen
  const address = 'head@example.org'
  await superadminClient.call(updateProfile, {
    body: { name: 'Head', email: address, currentPassword: superadminPassword },
  })
  const clerk = await canteen.administrator('cashier', 'settings')
  await canteen.set({})
  const mtnMoney = { name: 'Mallory', number: '0966 000 000' }
  const save = (more: { enabled?: boolean; currentPassword?: string }) =>
    clerk.call(savePaymentBypass, { body: { ...airtelAndBank, mtnMoney, ...more } })
  expect(await refused(save({}))).toMatchObject({
    status: 422,
    code: 'wrong_current_password',
    fields: { currentPassword: 'Current password is required' },
  })
  expect(await refused(save({ currentPassword: 'superadmin-password' }))).toMatchObject({
    status: 422,
    fields: { currentPassword: expect.stringContaining("doesn't match") },
  })
  expect(await clerk.call(getPaymentBypass)).toEqual(airtelAndBank)
  expect(await save({ currentPassword: 'admin-password' })).toMatchObject({ mtnMoney })
  const mail = await mailTo(canteen, address, 'bank or mobile-money details')
  expect(mail.text).not.toMatch(/0966|Mallory/)
  expect(await save({ enabled: false })).toMatchObject({ enabled: false, mtnMoney })
})

describe('the reference of an attempt', () => {
  test('is the same each time it is asked for, and letters that are taken for others are not in it', async () => {
    const { knex } = canteen.infrastructure.database
    const reference = await claimReference(knex, attempt)
    expect(await claimReference(knex, attempt)).toBe(reference)
    const many = Array.from({ length: 500 }, (_, round) => referenceFor(attempt, round))
    for (const text of many) expect(text).toMatch(/^LP-[2-9A-HJKMNP-Z]{6}$/)
    expect(new Set(many).size).toBe(500)
  })

  test('is never that of another attempt', async () => {
    const { knex, pool } = canteen.infrastructure.database
    const wanted = referenceFor(otherAttempt, 0)
    await pool.query('insert into payments.alternative_references (reference, attempt_id) values ($1, $2)', [
      wanted,
      '0199c0de-0000-7000-8000-0000000000ff',
    ])
    expect(await claimReference(knex, otherAttempt)).toBe(referenceFor(otherAttempt, 1))
    expect(await claimReference(knex, otherAttempt)).toBe(referenceFor(otherAttempt, 1))
  })
})
