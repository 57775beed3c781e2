import { getOrderingRules, saveOrderingRules, type OrderingRules } from '#contracts/ordering'
import { stopReminders, saveMessageSettings, saveUserMessages } from '#contracts/messages'
import { mailTo } from '../support/mails'
import { closeOutbox } from '../support/outbox'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const asFirst: OrderingRules = {
  cancelUntil: 'hour',
  lateRemedy: 'credit',
  absence: 'none',
  absencePercent: 100,
  lowPortions: 10,
}
const other: OrderingRules = {
  cancelUntil: 'cutoff',
  lateRemedy: 'refund',
  absence: 'credit',
  absencePercent: 0,
  lowPortions: 3,
}

test('until they are set, the rules are those of the first documents; everybody signed in reads them', async () => {
  const { parent } = await canteen.family('rita')
  expect(await parent.call(getOrderingRules)).toEqual(asFirst)
  expect((await refused(canteen.visitor().call(getOrderingRules))).status).toBe(401)
})

test('who has the feature settings sets them, and everybody reads them at once', async () => {
  const { parent } = await canteen.family('rosa')
  const cook = await canteen.administrator('rulescook', 'kitchen')
  const office = await canteen.administrator('rulesoffice', 'settings')
  expect((await refused(cook.call(saveOrderingRules, { body: other }))).status).toBe(403)
  expect(await office.call(saveOrderingRules, { body: other })).toEqual(other)
  expect(await parent.call(getOrderingRules)).toEqual(other)
  await office.call(saveOrderingRules, { body: asFirst })
  expect(await parent.call(getOrderingRules)).toEqual(asFirst)
})

test.each([
  [{ cancelUntil: 'never' }, 'cancelUntil'],
  [{ lateRemedy: 'cash' }, 'lateRemedy'],
  [{ absence: 'refund' }, 'absence'],
  [{ absencePercent: 101 }, 'absencePercent'],
  [{ absencePercent: 0.5 }, 'absencePercent'],
  [{ lowPortions: -1 }, 'lowPortions'],
])('%j is refused', async (wrong, field) => {
  const body = { ...asFirst, ...wrong } as OrderingRules
  const answer = await refused(canteen.superadminClient.call(saveOrderingRules, { body }))
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.fields ?? {})).toEqual([field])
  expect(await canteen.superadminClient.call(getOrderingRules)).toEqual(asFirst)
})

const switchReminders = (reminders: boolean) =>
  canteen.superadminClient.call(saveMessageSettings, {
    body: { sms: false, dailyCeiling: null, orderWithPhone: false, reminders },
  })

const subject = 'No lunch ordered for next week'
const remind = () =>
  canteen.modules
    .flatMap(({ sweeps }) => sweeps)
    .find(({ name }) => name === 'remind-to-order')!
    .run()
const reminded = async () => {
  const { rows } = await canteen.infrastructure.database.pool.query<{ username: string }>(
    `select account.username from identity.mail_outbox
     join identity.users account on account.id = "userId" where subject = $1 order by account.id`,
    [subject],
  )
  return rows.map(({ username }) => username)
}
describe('on Thursday at 17:00', () => {
  test('families without a lunch for next week are reminded, once, through crashes and sweeps at once', async () => {
    await canteen.payingFamily('nothing.ordered', '3', '9')
    const ordered = await canteen.payingFamily('one.ordered', '3', '9')
    const thisWeek = await canteen.payingFamily('this.week', '3')
    const optedOut = await canteen.payingFamily('opted.out', '3')
    await canteen.payingFamily('no.children')
    await place(ordered.parent, [canteen.porridgeFor(ordered.children[0]!, 1, { weekNumber: 2 })])
    await place(thisWeek.parent, [canteen.porridgeFor(thisWeek.children[0]!, 5)])
    await optedOut.parent.call(saveUserMessages, { body: { channel: 'mail', reminders: false } })

    canteen.setClock('2026-09-17T17:00:00+02:00')
    await remind()
    // The school does not remind until it says so.
    expect(await reminded()).toEqual([])
    canteen.setClock('2026-09-17T16:59:59+02:00')
    await switchReminders(true)
    await remind()
    expect(await reminded()).toEqual([])

    const outbox = await closeOutbox(canteen.infrastructure.database.pool, thisWeek.userId)
    canteen.setClock('2026-09-17T17:00:00+02:00')
    await expect(remind()).rejects.toThrow('killed')
    expect(await reminded()).toEqual(['nothing.ordered'])
    await outbox.open()
    await Promise.all([remind(), remind()])
    canteen.setClock('2026-09-18T16:59:59+02:00')
    await remind()
    expect(await reminded()).toEqual(['nothing.ordered', 'this.week'])
  })

  test('the link in a reminder stops them, and without an open week there are none', async () => {
    const { text } = await mailTo(canteen, 'nothing.ordered@example.org', subject)
    expect(text).toContain(
      'no lunch is ordered for next week yet. The first day is Monday, 21 September 2026.',
    )
    const [, token] = /\/stop\/(\S+)/.exec(text)!
    await canteen.visitor().call(stopReminders, { body: { token: token! } })
    canteen.setClock('2026-09-24T17:00:00+02:00')
    await remind()
    // Whoever had ordered for that week has not for the one after it.
    expect(await reminded()).toEqual(['nothing.ordered', 'one.ordered', 'this.week', 'this.week'])
    // The cycle ends with the week of 5 October.
    canteen.setClock('2026-10-08T17:00:00+02:00')
    await remind()
    expect(await reminded()).toHaveLength(4)
  })
})
