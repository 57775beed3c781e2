import { closeDays, cycleDays, getClosure, undoClosure } from '#contracts/closures'
import { saveCutoff } from '#contracts/cycles'
import { insertClosure } from '#modules/cycles/cycles.rows'
import { currentUser } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { deleteAnyStudent } from '#contracts/accounts'
import { moveStudent } from '#contracts/enrolment'
import { refused } from '../ordering/canteen'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'

let canteen: AlternativeCanteen

beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const office = () => canteen.superadminClient
const stewOn = async (username: string, day: number, weekNumber = 1) => {
  const family = await canteen.payingFamily(username, '9')
  const { orders } = await order(family.parent, [canteen.stewFor(family.children[0]!, day, { weekNumber })])
  await canteen.verify([orders[0]!.id])
  return { ...family, id: orders[0]!.id }
}
const close = (dates: string[]) =>
  office().call(closeDays, {
    params: { id: canteen.cycle.id },
    body: { dates, reason: 'Public holiday', remedy: 'refund' },
  })
const statusOf = async ({ parent }: Awaited<ReturnType<typeof stewOn>>) =>
  ((await parent.call(listOrders)) as Order[])[0]?.status

test('an undo goes by the cutoff as it is set now, earlier or later than when the meals were ordered', async () => {
  const early = await stewOn('chanda', 2)
  await office().call(saveCutoff, { body: { hour: 7, minute: 30 } })
  const tuesday = await close(['2026-09-15'])
  canteen.setClock('2026-09-15T07:45:00+02:00')
  const before = await office().call(undoClosure, { params: { id: tuesday.id } })
  expect(before).toMatchObject({ restored: 0, notRestored: [{ orderId: early.id, code: 'cutoff_passed' }] })

  canteen.setClock('2026-09-14T07:00:00+02:00')
  const late = await stewOn('bupe', 3)
  await office().call(saveCutoff, { body: { hour: 11, minute: 0 } })
  const wednesday = await close(['2026-09-16'])
  canteen.setClock('2026-09-16T10:30:00+02:00')
  expect(await office().call(undoClosure, { params: { id: wednesday.id } })).toMatchObject({ restored: 1 })
  expect(await statusOf(late)).toBe('pending')
})

test('days that have passed are not opened again', async () => {
  const { id } = await close(['2026-09-21', '2026-09-22'])
  canteen.setClock('2026-09-23T07:00:00+02:00')
  const late = await canteen.superadmin()
  const undoing = late.call(undoClosure, { params: { id } })
  expect(await refused(undoing)).toMatchObject({ status: 409, code: 'closure_over' })
  const { days } = await late.call(cycleDays, { params: { id: canteen.cycle.id } })
  expect(days.find(({ date }) => date === '2026-09-22')).toMatchObject({
    closure: { id, canUndo: false },
  })
})

test('the meal of a child that was removed since does not come back', async () => {
  const gone = await stewOn('bwalya', 4, 2)
  const there = await stewOn('mutale', 4, 2)
  const { id } = await close(['2026-09-24'])
  await office().call(deleteAnyStudent, { params: { id: gone.children[0]!.id }, query: { force: 'true' } })
  expect(await office().call(undoClosure, { params: { id } })).toMatchObject({
    restored: 1,
    notRestored: [
      { orderId: gone.id, code: 'student_gone', message: 'The student is no longer on the account' },
    ],
  })
  expect([await statusOf(gone), await statusOf(there)]).toEqual(['cancelled', 'pending'])
})

/** What a kill after the first commit of closing leaves. */
const cutOffClosing = (id: string, date: string) =>
  canteen.infrastructure.database.knex.transaction((transaction) =>
    insertClosure(
      transaction,
      {
        id,
        cycleId: canteen.cycle.id,
        dates: [date],
        reason: 'Public holiday',
        remedy: 'refund',
        planned: false,
      },
      { actor: 'user:1', correlationId: id, at: canteen.now() },
    ),
  )

test('a closure whose process died before it noted its orders is at work until a worker has', async () => {
  const family = await stewOn('mwila', 4)
  const id = '0199a000-0000-7000-8000-0000000000c1'
  await cutOffClosing(id, '2026-09-17')
  const shown = await office().call(getClosure, { params: { id } })
  expect(shown.done).toBeLessThan(shown.total)
  await eventually(async () => {
    const { done, total, cancelled } = await office().call(getClosure, { params: { id } })
    return done === 1 && total === 1 && cancelled === 1
  }, 20_000)
  expect(await statusOf(family)).toBe('cancelled')
})

test('one that is undone before a worker came leaves every order as it was', async () => {
  const family = await stewOn('luyando', 5)
  const id = '0199a000-0000-7000-8000-0000000000c2'
  await cutOffClosing(id, '2026-09-18')
  expect(await office().call(undoClosure, { params: { id } })).toMatchObject({ notRestored: [] })
  await eventually(async () => {
    const { done, total } = await office().call(getClosure, { params: { id } })
    return done === total
  }, 20_000)
  expect(await statusOf(family)).toBe('pending')
  const { days } = await office().call(cycleDays, { params: { id: canteen.cycle.id } })
  expect(days.find(({ date }) => date === '2026-09-18')).toMatchObject({ state: 'open', orders: 1 })
})

test('the family to which a child has moved is told of its closed and opened days too', async () => {
  const { children } = await stewOn('payer', 5)
  const stepmother = await canteen.parent('stepmother', { email: 'stepmother@example.org' })
  const { id: parentId } = await stepmother.call(currentUser)
  await office().call(moveStudent, { params: { id: children[0]!.id }, body: { parentId } })
  const { id } = await close(['2026-09-18'])
  const { text } = await mailTo(canteen, 'stepmother@example.org', 'Meals of your child are cancelled')
  expect(text).toContain('- A meal on Friday, 18 September')
  expect(text).not.toMatch(/K\d/)
  await office().call(undoClosure, { params: { id } })
  await mailTo(canteen, 'stepmother@example.org', 'Meals of your child are ordered again')
})
