import { auditEntries } from '#contracts/audit'
import {
  convertToTeacher,
  currentUser,
  deleteStudent,
  listStudents,
  updateStudent,
  type Student,
} from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { applyPromotion, lastPromotion, previewPromotion, undoPromotion, roll } from '#contracts/enrolment'
import { deleteAnyStudent, addStaffEntry, getStaffCode, saveStaffCode } from '#contracts/accounts'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('bursar.office', 'parents_students')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const at = ({ id }: Pick<Student, 'id'>) => ({ params: { id } })
const forced = (child: Student) => ({ ...at(child), query: { force: 'true' as const } })
const codeOf = async (asked: Promise<unknown>) => (await refused(asked)).code
const preview = (rename = true) => office.call(previewPromotion, { body: { rename } })
const ordersOf = async (parent: Client) => (await parent.call(listOrders, { query: {} })) as Order[]
const history = async () => {
  const { data } = await canteen.superadminClient.call(auditEntries, { query: { limit: 100 } })
  return data.map(({ what }) => what)
}

describe('staff who are parents', () => {
  const code = 'Chalk & Blackboard 26'
  const enter = (client: Client, typed = code) => client.call(addStaffEntry, { body: { code: typed } })

  test('order for themselves beside their children, once they have shown the school’s code', async () => {
    const { parent, children } = await canteen.family('sakala', '3')
    const settings = await canteen.administrator('settings.office', 'settings')
    expect(await settings.call(getStaffCode)).toEqual({ staffCode: '' })
    expect(await codeOf(enter(parent))).toBe('staff_code_wrong')
    expect(await codeOf(settings.call(saveStaffCode, { body: { staffCode: 'short' } }))).toBe(
      'validation_failed',
    )
    expect(await codeOf(office.call(getStaffCode))).toBe('forbidden')
    await settings.call(saveStaffCode, { body: { staffCode: ` ${code} ` } })
    expect(await settings.call(getStaffCode)).toEqual({ staffCode: code })
    expect(await codeOf(enter(parent, code.toLowerCase()))).toBe('staff_code_wrong')

    const entry = await enter(parent)
    expect(entry).toMatchObject({ name: 'sakala', grade: 'teacher' })
    expect(await enter(parent)).toEqual(entry)
    expect((await parent.call(currentUser)).role).toBe('parent')
    expect((await parent.call(listStudents)).map(({ id }) => id)).toEqual([children[0]!.id, entry.id])
    expect(await codeOf(parent.call(deleteStudent, at(entry)))).toBe('staff_account')

    // As a teacher: the secondary menu without a side dish, whatever the children have.
    await canteen.discount(entry.parentId, 100)
    const free = { discountedPrice: 0, discountPercentage: 100 }
    expect(await codeOf(place(parent, [canteen.porridgeFor(entry, 2)]))).toBe('lines_refused')
    const placed = await place(parent, [
      canteen.stewFor(entry, 2, free),
      canteen.porridgeFor(children[0]!, 2),
    ])
    expect(placed.map(({ student, sideDish }) => [student.grade, sideDish])).toEqual([
      ['teacher', null],
      ['3', 'Banana'],
    ])

    const kept = await refused(office.call(deleteAnyStudent, at(entry)))
    expect(kept).toMatchObject({ code: 'student_has_orders', orderCount: 1, canForce: true })
    await office.call(deleteAnyStudent, forced(entry))
    expect(await parent.call(listStudents)).toEqual([expect.objectContaining({ id: children[0]!.id })])
    expect((await ordersOf(parent)).find(({ id }) => id === placed[0]!.id)).toMatchObject({
      status: 'cancelled',
    })
    await eventually(async () => {
      const said = await history()
      expect(said).toEqual(
        expect.arrayContaining(['Staff code set', expect.stringMatching(/^Staff entry of .* added$/)]),
      )
      expect(JSON.stringify(said)).not.toContain('Blackboard')
    })
  })

  test('keep their entry when the account becomes a teacher’s, and then nobody takes it away', async () => {
    const { parent } = await canteen.family('ngoma', '4')
    await canteen.superadminClient.call(saveStaffCode, { body: { staffCode: code } })
    const entry = await enter(parent)
    await parent.call(convertToTeacher)
    const teacher = await canteen.signIn('ngoma', 'parent-password')
    expect((await teacher.call(listStudents)).filter(({ grade }) => grade === 'teacher')).toEqual([entry])
    expect(await codeOf(office.call(deleteAnyStudent, forced(entry)))).toBe('staff_account')
    expect(await codeOf(enter(teacher))).toBe('forbidden')
  })
})

describe('the year move', () => {
  test('moves everybody up and back, names the lunches that do not fit, and keeps what was edited since', async () => {
    const { parent, children } = await canteen.family('mwansa', '3', '5', '12', '9')
    const [third, fifth, last, ninth] = children as [Student, Student, Student, Student]
    const inClass = { name: third.name, grade: '3' as const, class: '3B' }
    await office.call(updateStudent, { ...at(third), body: inClass })
    const [porridge] = await place(parent, [canteen.porridgeFor(fifth, 2), canteen.porridgeFor(third, 2)])
    await canteen.discount(third.parentId, 100)
    const free = { discountedPrice: 0, discountPercentage: 100 }
    const [stew] = await place(parent, [canteen.stewFor(last, 3, free), canteen.stewFor(ninth, 3, free)])
    const affected = [
      { orderId: porridge!.id, student: fifth.name, date: porridge!.mealDate, menuItem: 'School porridge' },
      { orderId: stew!.id, student: last.name, date: stew!.mealDate, menuItem: 'Stew' },
    ]

    const move = await preview()
    expect(move).toMatchObject({ leaving: 1, affectedOrders: affected })
    const { metadata } = await office.call(roll, { query: {} })
    expect(move.students + move.leaving).toBe(metadata.total)
    for (const _again of [1, 2])
      expect(await office.call(applyPromotion, { params: { id: move.id } })).toEqual(move)

    const now = await parent.call(listStudents)
    expect(now.map(({ name, grade, class: inClassNow }) => [name, grade, inClassNow])).toEqual([
      [third.name, '4', '4B'],
      [fifth.name, '6', null],
      [ninth.name, '10', null],
    ])
    expect((await ordersOf(parent)).map(({ status }) => status)).toEqual(Array(4).fill('pending'))
    expect(await codeOf(place(parent, [canteen.stewFor(last, 4, free)]))).toBe('lines_refused')
    const { data } = await office.call(roll, { query: { text: last.name } })
    expect(data).toEqual([expect.objectContaining({ grade: '12', leftAt: expect.any(String) })])
    const named = async (left: string) =>
      (await office.call(roll, { query: { text: 'mwansa', left: left as never } })).data
    expect((await named('true')).map(({ name }) => name)).toEqual([last.name])
    expect(await named('false')).toHaveLength(3)

    const { id, students, leaving } = move
    expect(await office.call(lastPromotion)).toMatchObject({ promotion: { id, students, leaving } })

    // One of the children has another grade meanwhile: that stays.
    await office.call(updateStudent, { ...at(ninth), body: { name: ninth.name, grade: '11' } })
    const [secondary] = await place(parent, [canteen.stewFor(fifth, 4, free)])
    const undone = await office.call(undoPromotion, { params: { id: move.id } })
    expect(undone).toEqual({
      students: move.students + move.leaving - 1,
      kept: [{ id: ninth.id, student: ninth.name }],
      affectedOrders: [
        { orderId: secondary!.id, student: fifth.name, date: secondary!.mealDate, menuItem: 'Stew' },
      ],
    })
    expect(await office.call(undoPromotion, { params: { id: move.id } })).toEqual(undone)
    expect(await office.call(lastPromotion)).toEqual({ promotion: null })
    expect((await parent.call(listStudents)).map(({ grade, class: c }) => [grade, c])).toEqual([
      ['3', '3B'],
      ['5', null],
      ['12', null],
      ['11', null],
    ])
    expect(await place(parent, [canteen.stewFor(last, 4, free)])).toHaveLength(1)
    expect(await codeOf(office.call(applyPromotion, { params: { id: move.id } }))).toBe('promotion_undone')
    await eventually(async () =>
      expect(await history()).toEqual(
        expect.arrayContaining([
          `Year move: ${move.students} children one grade up, 1 left`,
          `Promotion undone for ${undone.students} children`,
        ]),
      ),
    )
  })

  test('does exactly what was previewed, and is undone only as the last one and within a week', async () => {
    const { parent, children } = await canteen.family('zulu', '2', '7')
    const first = await preview(false)
    await parent.call(deleteStudent, at(children[1]!))
    // Who is no longer there is in nobody's plan.
    await canteen.family('tembo', '2')
    expect(await codeOf(office.call(applyPromotion, { params: { id: first.id } }))).toBe('roll_changed')
    expect((await parent.call(listStudents))[0]).toMatchObject({ grade: '2' })

    const [one, other] = [await preview(false), await preview(false)]
    expect(await codeOf(office.call(undoPromotion, { params: { id: one.id } }))).toBe('promotion_not_applied')
    await office.call(applyPromotion, { params: { id: one.id } })
    expect(await codeOf(office.call(applyPromotion, { params: { id: other.id } }))).toBe('roll_changed')
    canteen.setClock('2026-09-14T08:00:00+02:00')
    const next = await preview(false)
    await office.call(applyPromotion, { params: { id: next.id } })
    expect(await codeOf(office.call(undoPromotion, { params: { id: one.id } }))).toBe('promotion_not_last')
    const last = { id: next.id, appliedAt: '2026-09-14T06:00:00.000Z', undoUntil: '2026-09-21T06:00:00.000Z' }
    expect(await office.call(lastPromotion)).toEqual({
      promotion: { ...last, students: next.students, leaving: next.leaving },
    })
    canteen.setClock('2026-09-21T08:00:00.001+02:00')
    const late = await canteen.administrator('late.office', 'parents_students')
    expect(await late.call(lastPromotion)).toEqual({ promotion: null })
    expect(await codeOf(late.call(undoPromotion, { params: { id: next.id } }))).toBe('undo_too_late')
    const unknown = { params: { id: '01920000-0000-7000-8000-000000000001' } }
    expect(await codeOf(late.call(applyPromotion, unknown))).toBe('promotion_not_found')
    expect(await codeOf(parent.call(applyPromotion, unknown))).toBe('forbidden')
  })
})
