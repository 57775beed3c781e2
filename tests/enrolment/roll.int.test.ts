import { classList, setOrderStatus } from '#contracts/kitchen'
import { listStudents, updateStudent, type Student } from '#contracts/identity'
import { cancelOrder, changeOrder, listOrders, setAbsence } from '#contracts/ordering'
import { deleteParent } from '#contracts/accounts'
import { mergeStudent, moveStudent, roll } from '#contracts/enrolment'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('bursar.office', 'parents_students', 'kitchen', 'history')
})
afterAll(() => canteen.close())

const at = ({ id }: Pick<Student, 'id'>) => ({ params: { id } })
const codeOf = async (asked: Promise<unknown>) => (await refused(asked)).code
const idOf = async (parent: Client) => (await parent.call(listStudents))[0]!.parentId

test('the office keeps class and number of any child; a number is one child’s', async () => {
  const { parent, children } = await canteen.family('mwila', '3', '5')
  const [small, big] = children as [Student, Student]
  const edit = { name: 'Chipo Mwila', grade: '3' as const, class: '3B', admissionNumber: 'A-17' }
  expect(await office.call(updateStudent, { ...at(small), body: edit })).toMatchObject({
    ...edit,
    affectedOrders: [],
  })
  const other = { name: 'Taonga', grade: '5' as const, admissionNumber: 'A-17' }
  expect(await codeOf(office.call(updateStudent, { ...at(big), body: other }))).toBe('admission_number_taken')

  // A parent changes name and grade; what the roll says stays.
  const body = { name: 'Chipo M', grade: '3' as const, class: '9Z', admissionNumber: 'X' }
  await parent.call(updateStudent, { ...at(small), body })
  const { data, classes, metadata } = await office.call(roll, { query: { text: 'a-17', class: '3B' } })
  expect(data).toEqual([
    expect.objectContaining({
      id: small.id,
      name: 'Chipo M',
      class: '3B',
      admissionNumber: 'A-17',
      parent: expect.objectContaining({ username: 'mwila' }),
      guardian: null,
      onRoll: false,
    }),
  ])
  expect([classes, metadata.total]).toEqual([['3B'], 1])
  expect((await office.call(roll, { query: { claimed: 'false' as never } })).data).toEqual([])
  expect(await codeOf(parent.call(roll, { query: {} }))).toBe('forbidden')
})

test('a grade of the other menu names the lunches that no longer fit', async () => {
  const { parent, children } = await canteen.family('grade', '5')
  const [child] = children as [Student]
  const [order] = await place(parent, [canteen.porridgeFor(child, 2)])
  const body = { name: 'Grade Six', grade: '6' as const }
  const { affectedOrders } = await office.call(updateStudent, { ...at(child), body })
  expect(affectedOrders).toEqual([{ orderId: order!.id, date: order!.mealDate, menuItem: 'School porridge' }])
})

test('a child moves with its lunches; the money stays, and its name outlives the family that ordered', async () => {
  const from = await canteen.family('old', '2')
  const to = await canteen.family('new', '4')
  const [child] = from.children as [Student]
  await office.call(updateStudent, { ...at(child), body: { name: 'Mapalo', grade: '2', class: '2A' } })
  const [kept, cancelled] = await place(from.parent, [
    canteen.porridgeFor(child, 2),
    canteen.porridgeFor(child, 3),
  ])
  const oldId = await idOf(from.parent)
  const parentId = await idOf(to.parent)
  expect(await codeOf(office.call(moveStudent, { ...at(child), body: { parentId: 1 } }))).toBe(
    'parent_not_found',
  )
  const moved = await office.call(moveStudent, { ...at(child), body: { parentId } })
  expect(moved).toMatchObject({ id: child.id, parentId, class: '2A' })

  expect(await from.parent.call(listStudents)).toEqual([])
  const seen = await to.parent.call(listOrders, { query: {} })
  expect((seen as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([kept!.id, cancelled!.id])
  expect(await from.parent.call(listOrders)).toEqual([])
  const lunch = { params: { id: kept!.id } }
  const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
  const changed = { ...lunch, body: { ...other, discountedPrice: 0 } }
  expect(await codeOf(from.parent.call(cancelOrder, lunch))).toBe('order_not_found')
  expect(await codeOf(from.parent.call(changeOrder, changed))).toBe('order_not_found')
  expect(await codeOf(from.parent.call(setAbsence, lunch))).toBe('order_not_found')
  expect(await to.parent.call(changeOrder, changed)).toMatchObject({ id: kept!.id, sideDish: 'Bread' })
  expect(await to.parent.call(cancelOrder, { params: { id: cancelled!.id } })).toMatchObject({
    status: 'cancelled',
    receiptNumber: null,
  })
  // What is no lunch any more is for who has paid for it.
  const left = (await from.parent.call(listOrders)) as { id: string; status: string }[]
  expect(left.map(({ id, status }) => [id, status])).toEqual([[cancelled!.id, 'cancelled']])
  expect(await codeOf(place(to.parent, [canteen.porridgeFor(child, 2)]))).toBe('lines_refused')

  const gone = { params: { id: oldId }, query: { force: 'true' as const, giveUp: 'old' } }
  await office.call(deleteParent, gone)
  const { data } = await office.call(classList, { query: { date: kept!.mealDate } })
  expect(data.find(({ id }) => id === kept!.id)).toMatchObject({ student: 'Mapalo', class: '2A' })
})

describe('a child that was entered twice', () => {
  test('is one with all of its lunches, and has one lunch a date under all of its numbers', async () => {
    const { parent, children } = await canteen.family('twins', '1', '1')
    const [twin, into] = children as [Student, Student]
    const number = { name: twin.name, grade: '1' as const, admissionNumber: 'T-1' }
    await office.call(updateStudent, { ...at(twin), body: number })
    const [tuesday] = await place(parent, [canteen.porridgeFor(twin, 2), canteen.porridgeFor(twin, 3)])
    const [own] = await place(parent, [canteen.porridgeFor(into, 2)])
    const merged = { ...at(twin), body: { intoId: into.id } }
    expect(await codeOf(office.call(mergeStudent, { ...at(into), body: { intoId: into.id } }))).toBe(
      'same_student',
    )
    expect(await codeOf(office.call(mergeStudent, merged))).toBe('same_date')
    // Refused, nothing has changed.
    expect(await parent.call(listStudents)).toHaveLength(2)

    await parent.call(cancelOrder, { params: { id: own!.id } })
    for (const _again of [1, 2])
      expect(await office.call(mergeStudent, merged)).toMatchObject({ id: into.id, admissionNumber: 'T-1' })
    expect(await parent.call(listStudents)).toEqual([expect.objectContaining({ id: into.id })])
    const underInto = { studentId: into.id, student: { name: into.name } }
    expect(await parent.call(listOrders)).toMatchObject([underInto, underInto, underInto])
    const { data } = await office.call(classList, { query: { date: tuesday!.mealDate } })
    expect(data.find(({ id }) => id === tuesday!.id)).toMatchObject({ student: into.name })
    const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
    const changed = { params: { id: tuesday!.id }, body: { ...other, discountedPrice: 0 } }
    expect(await parent.call(changeOrder, changed)).toMatchObject({ ...underInto, sideDish: 'Bread' })
    expect(await codeOf(place(parent, [canteen.porridgeFor(into, 2)]))).toBe('lines_refused')
    expect(await codeOf(place(parent, [canteen.porridgeFor(twin, 4)]))).toBe('lines_refused')
    const reopened = { body: { orderIds: [own!.id], status: 'pending' as const } }
    expect((await office.call(setOrderStatus, reopened)).skipped).toEqual([
      expect.objectContaining({ id: own!.id, code: 'slot_taken' }),
    ])
    await parent.call(cancelOrder, { params: { id: tuesday!.id } })
    expect(await place(parent, [canteen.porridgeFor(into, 2)])).toHaveLength(1)
  })
})
