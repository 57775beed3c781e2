import { deleteAnyStudent, addStaffEntry, getStaffCode, saveStaffCode } from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import type { ReplyOf } from '#contracts/endpoint'
import { roll, applyPromotion, lastPromotion, previewPromotion, undoPromotion } from '#contracts/enrolment'
import {
  listStudents,
  register,
  updateStudent,
  convertToTeacher,
  currentUser,
  deleteStudent,
  type Student,
} from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import {
  applyRoll,
  claimCodes,
  claimStudents,
  lastRollImport,
  leavingChildren,
  previewedRows,
  previewLetters,
  previewRoll,
  type RollMapping,
  undoRoll,
} from '#contracts/roll-import'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'
import { withoutWorker } from '../ordering/without-worker'
import { mailTo } from '../support/mails'

const codeOf = async (asked: Promise<unknown>) => (await refused(asked)).code

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = withoutWorker(await openCanteen({ ROLE: 'web' }))
  office = await canteen.administrator('bursar.office', 'parents_students')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

describe('the school year', () => {
  const at = ({ id }: Pick<Student, 'id'>) => ({ params: { id } })
  const forced = (child: Student) => ({ ...at(child), query: { force: 'true' as const } })
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
      expect(await settings.call(getStaffCode)).toMatchObject({ staffCode: '' })
      expect(await codeOf(enter(parent))).toBe('staff_code_wrong')
      expect(await codeOf(settings.call(saveStaffCode, { body: { staffCode: 'short' } }))).toBe(
        'validation_failed',
      )
      expect(await codeOf(office.call(getStaffCode))).toBe('forbidden')
      await settings.call(saveStaffCode, { body: { staffCode: ` ${code} ` } })
      expect(await settings.call(getStaffCode)).toMatchObject({ staffCode: code })
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
      await canteen.sweepUntil(async () => {
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
      await canteen.sweepUntil(async () =>
        expect(await history()).toEqual(
          expect.arrayContaining([
            `Year move: ${move.students} children one grade up, 1 left`,
            `Promotion undone for ${undone.students} children`,
          ]),
        ),
      )
    })

    test('does exactly what was previewed, and is undone only as the last one and within a week', async () => {
      const { parent, children } = await canteen.family('zimba', '2', '7')
      const first = await preview(false)
      await parent.call(deleteStudent, at(children[1]!))
      // Who is no longer there is in nobody's plan.
      await canteen.family('tembo', '2')
      expect(await codeOf(office.call(applyPromotion, { params: { id: first.id } }))).toBe('roll_changed')
      expect((await parent.call(listStudents))[0]).toMatchObject({ grade: '2' })

      const [one, other] = [await preview(false), await preview(false)]
      expect(await codeOf(office.call(undoPromotion, { params: { id: one.id } }))).toBe(
        'promotion_not_applied',
      )
      await office.call(applyPromotion, { params: { id: one.id } })
      expect(await codeOf(office.call(applyPromotion, { params: { id: other.id } }))).toBe('roll_changed')
      canteen.setClock('2026-09-14T08:00:00+02:00')
      const next = await preview(false)
      await office.call(applyPromotion, { params: { id: next.id } })
      expect(await codeOf(office.call(undoPromotion, { params: { id: one.id } }))).toBe('promotion_not_last')
      const last = {
        id: next.id,
        appliedAt: '2026-09-14T06:00:00.000Z',
        undoUntil: '2026-09-21T06:00:00.000Z',
      }
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
})

describe('importing the roll', () => {
  // `ROLL_ROWS=1500` reads in a whole school.
  const wholeSchool = Number(process.env['ROLL_ROWS'] ?? 40)

  const heads = 'admissionNumber,student,grade,class,guardian,email,phone'
  const at = (id: string) => ({ params: { id } })
  const byName = async (text: string) => (await office.call(roll, { query: { text } })).data
  const query = (sql: string) => canteen.infrastructure.database.pool.query(sql)

  const claim = (parent: Client, code: string) => parent.call(claimStudents, { body: { code } })

  const upload = async (client: Client, text: string, mapping?: RollMapping) => {
    const form = new FormData()
    if (mapping) form.set('mapping', JSON.stringify(mapping))
    form.set('file', new File([text], 'roll.csv', { type: 'text/csv' }))
    const response = await client.fetch(previewRoll.path, { method: 'POST', body: form })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const previewed = async (...lines: string[]): Promise<ReplyOf<typeof previewRoll>> => {
    const { body } = await upload(office, [heads, ...lines].join('\n'))
    return previewRoll.reply.parse(body)
  }
  type Applying = { remove?: boolean; confirm?: number; decisions?: Record<string, number | 'new'> }

  /** Whatever is applied makes the letters that were foretold. */
  const apply = async (id: string, { confirm, ...body }: Applying = {}) => {
    const wanted = { remove: false, ...body }
    const foretold = await office.call(previewLetters, { ...at(id), body: wanted }).catch(() => null)
    const done = await office.call(applyRoll, { ...at(id), body: { ...wanted, ...(confirm && { confirm }) } })
    const mailed = done.codes.filter((letter) => letter.mailed).length
    expect(foretold).toEqual({ letters: done.codes.length, mailed })
    return done
  }

  test('a list is looked through, decided on, applied as it was shown, and put back', async () => {
    const { parent, children } = await canteen.family('chanda', '3')
    const [own] = children
    const lines = [
      'A-1,Luse Banda,2,2A,Mrs Banda,luse@example.org,0977 100 200',
      'A-2,Mapalo Banda,K,KB,Mrs Banda,LUSE@example.org,',
      `A-3,${own!.name},3,3B,Mr Chanda,,0966 100 300`,
      'A-4,,2,,,,',
    ]
    const shown = await previewed(...lines)
    expect(shown).toMatchObject({ new: 2, changed: 0, same: 0, matched: 1, leaving: 0, roll: 0 })
    expect(shown.errors).toEqual([{ row: 5, column: 'student', message: 'The name of the child is missing' }])
    expect(shown.rows.map(({ row, state }) => [row, state])).toEqual([
      [2, 'new'],
      [3, 'new'],
      [4, 'matched'],
    ])
    const { data } = await office.call(previewedRows, { ...at(shown.id), query: { state: 'matched' } })
    expect(data[0]?.candidates).toEqual([expect.objectContaining({ id: own!.id, parent: 'chanda' })])
    expect(await codeOf(apply(shown.id, { decisions: { 2: own!.id } }))).toBe('decision_wrong')

    const done = await apply(shown.id, { decisions: { 4: own!.id } })
    expect(done).toMatchObject({ added: 2, changed: 1, left: 0, leftOut: 0, kept: [] })
    const family = [
      expect.objectContaining({ name: 'Luse Banda' }),
      expect.objectContaining({ name: 'Mapalo Banda' }),
    ]
    expect(done.codes).toEqual([
      expect.objectContaining({ code: expect.stringMatching(/^[A-Z]{8}$/), students: family, mailed: true }),
    ])
    const { code, link } = done.codes[0]!
    expect(new URL(link).pathname + new URL(link).search).toBe(`/register?code=${code}`)
    const { text } = await mailTo(canteen, 'luse@example.org', 'code')
    expect(text).toContain(`${code}\n`)
    expect(text).toContain(`${link} within 90 days`)
    expect(await parent.call(listStudents)).toEqual([
      expect.objectContaining({ id: own!.id, class: '3B', admissionNumber: 'A-3' }),
    ])

    expect(await codeOf(apply(shown.id))).toBe('roll_changed')
    const again = await previewed(...lines)
    expect(again).toMatchObject({ new: 0, changed: 0, same: 3, matched: 0, leaving: 0, roll: 3 })
    expect((await apply(again.id)).codes).toEqual([])

    // What the file has no column for stays as it is, and is shown so.
    const { body } = await upload(office, 'number,name,grade\nA-1,Luse Banda,3')
    const luse = { class: '2A', guardian: 'Mrs Banda', email: 'luse@example.org', phone: '0977 100 200' }
    expect(previewRoll.reply.parse(body).rows).toEqual([
      expect.objectContaining({
        ...luse,
        state: 'changed',
        grade: '3',
        before: expect.objectContaining({ ...luse, grade: '2', parent: null, onRoll: true }),
      }),
    ])

    const last = (await office.call(lastRollImport)).import!
    expect(last.id).toBe(again.id)
    expect(await office.call(undoRoll, at(shown.id))).toEqual({ undone: 3, kept: [] })
    expect(await byName('Banda')).toEqual([])
    expect(await parent.call(listStudents)).toEqual([
      expect.objectContaining({ id: own!.id, class: null, admissionNumber: null }),
    ])
    expect(await codeOf(office.call(undoRoll, at(shown.id)))).toBe('undo_too_late')
    expect(await codeOf(parent.call(undoRoll, at(shown.id)))).toBe('forbidden')
  })

  test('a list of unknown columns asks for them once, keeps them, and accounts for each row', async () => {
    const list = [
      'Person,Kin,Years,Status',
      'Luse,Sata,KG,Active',
      'Chola,Sata,5,',
      'Tapiwa,Sata,6,Boarder',
      'Mary,Sata,4,Withdrawn',
      'Person,Kin,Years,Status',
    ]
    const text = [...list, ',,,Active'].join('\n')
    const asked = await upload(office, text)
    expect(asked).toMatchObject({
      status: 422,
      body: { code: 'mapping_needed', heads: list[0]!.split(','), guess: { grade: 'Years' } },
    })
    const mapping = { firstName: 'Person', lastName: 'Kin', grade: 'Years' }
    expect(await upload(office, text, { ...mapping, grade: 'Years gone' })).toMatchObject({
      status: 422,
      body: { code: 'mapping_needed' },
    })
    expect(await upload(office, text, { firstName: 'Person' })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    })
    const told = {
      status: 201,
      body: {
        new: 3,
        errors: [{ row: 5, column: null, message: 'Withdrawn: this is no pupil' }],
        leftOut: [
          { row: 6, reason: 'the headings again', amount: null },
          { row: 7, reason: 'nothing in the columns that are read', amount: null },
        ],
        leftOutCount: 2,
        notes: [],
        notRead: ['Status'],
      },
    }
    expect(await upload(office, text, mapping)).toMatchObject(told)
    expect(await upload(office, text)).toMatchObject(told)
  })

  test('a list that is not kept is neither shown, applied nor undone; one that was not applied is not undone', async () => {
    const unknown = '01920000-0000-7000-8000-000000000001'
    const again = 'This list is no longer stored. Please upload it again.'
    for (const ask of [
      () => office.call(previewedRows, { ...at(unknown), query: {} }),
      () => office.call(leavingChildren, { ...at(unknown), query: {} }),
      () => office.call(previewLetters, { ...at(unknown), body: { remove: false } }),
      () => apply(unknown),
    ])
      expect(await refused(ask())).toMatchObject({ status: 404, code: 'import_not_found', message: again })
    const { id } = await previewed('G-1,Mumba One,2,,,,')
    for (const one of [unknown, id])
      expect(await refused(office.call(undoRoll, at(one)))).toMatchObject({
        status: 404,
        code: 'import_not_found',
        message: 'Import not found',
      })
  })

  test('what was shown is applied or nothing: an edit, another office, a process that dies in the middle', async () => {
    const one = await previewed('B-1,Bupe One,2,2A,Mrs Bupe,,', 'B-2,Bupe Two,2,2A,Mrs Bupe,,')
    const other = await previewed('B-1,Bupe One,2,2A,Mrs Bupe,,', 'B-2,Bupe Two,2,2A,Mrs Bupe,,')
    // Its connection is cut when the codes are written.
    await query(`create function identity.dies() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
    await query('create trigger dies before insert on enrolment.claim_codes execute function identity.dies()')
    expect((await refused(apply(one.id))).status).toBe(503)
    await query('drop function identity.dies cascade')
    expect(await byName('Bupe')).toEqual([])

    const both = await Promise.allSettled([apply(one.id), apply(other.id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { reason } = both.find((one) => one.status === 'rejected')!
    expect(reason).toMatchObject({ status: 409, body: { code: 'roll_changed' } })
    const found = await byName('Bupe')
    expect(found.map(({ name }) => name)).toEqual(['Bupe One', 'Bupe Two'])

    const next = await previewed('B-1,Bupe One,3,3A,Mrs Bupe,,')
    const body = { name: 'Bupe First', grade: '2' as const }
    await office.call(updateStudent, { params: { id: found[0]!.id }, body })
    expect(await codeOf(apply(next.id))).toBe('roll_changed')
  })

  test('who leaves must be named in number, and who has lunches to come is kept', async () => {
    const shown = await previewed(
      'C-1,Kunda One,2,,Mrs Kunda,,0966 555 001',
      'C-2,Kunda Two,2,,Mrs Kunda,,0966 555 001',
    )
    const { codes } = await apply(shown.id)
    const parent = await canteen.parent('kunda')
    const [one, two] = await parent.call(claimStudents, { body: { code: codes[0]!.code } })
    await place(parent, [canteen.porridgeFor(one!, 2)])
    const without = await previewed('D-1,Somebody Else,2,,,,')
    const leaving = without.leaving
    expect(leaving).toBeGreaterThanOrEqual(2)
    const who = await office.call(leavingChildren, { ...at(without.id), query: { limit: 200 } })
    expect(who.metadata.total).toBe(leaving)
    expect(who.data.filter(({ name }) => name.startsWith('Kunda'))).toEqual([
      expect.objectContaining({ name: 'Kunda One', admissionNumber: 'C-1', parent: 'kunda' }),
      expect.objectContaining({ name: 'Kunda Two', admissionNumber: 'C-2', parent: 'kunda' }),
    ])
    expect(await refused(apply(without.id, { remove: true, confirm: leaving + 1 }))).toMatchObject({
      code: 'confirm_leaving',
      leaving,
    })
    const done = await apply(without.id, { remove: true, confirm: leaving })
    expect(done).toMatchObject({ left: leaving - 1, kept: [expect.objectContaining({ id: one!.id })] })
    expect((await parent.call(listStudents)).map(({ id }) => id)).toEqual([one!.id])

    expect(await codeOf(office.call(undoRoll, at(shown.id)))).toBe('ordered_since')
    expect((await office.call(undoRoll, at(without.id))).undone).toBe(leaving)
    expect((await parent.call(listStudents)).map(({ id }) => id)).toEqual([one!.id, two!.id])
  })

  test('a code is one family’s, once; a new one makes the old one void, and a registration takes one', async () => {
    const shown = await previewed(
      'E-1,Zulu One,2,,Mrs Zulu,,0955 100 100',
      'E-2,Zulu Two,4,,Mr Zulu,,+260 955 100100',
    )
    const [letter] = (await apply(shown.id)).codes
    expect(letter).toMatchObject({ mailed: false, students: [{ name: 'Zulu One' }, { name: 'Zulu Two' }] })
    const studentIds = [letter!.students[1]!.id]
    const { codes } = await office.call(claimCodes, { body: { studentIds } })
    expect(codes).toHaveLength(1)
    const { rows } = await query('select hash from enrolment.claim_codes')
    expect(rows.map(({ hash }) => String(hash)).join(' ')).not.toContain(codes[0]!.code)

    const parent = await canteen.parent('zulu')
    expect(await codeOf(claim(parent, letter!.code))).toBe('claim_code_wrong')
    const body = { username: 'zulu.two', password: 'parent-password', name: 'Zulu' }
    expect(await codeOf(canteen.visitor().call(register, { body: { ...body, code: letter!.code } }))).toBe(
      'claim_code_wrong',
    )
    const typed = `${codes[0]!.code.slice(0, 4).toLowerCase()}-${codes[0]!.code.slice(4)}`
    const newcomer = canteen.visitor()
    await newcomer.call(register, { body: { ...body, code: typed } })
    expect((await newcomer.call(listStudents)).map(({ name }) => name)).toEqual(['Zulu One', 'Zulu Two'])
    expect(await codeOf(claim(parent, typed))).toBe('claim_code_wrong')
    expect((await office.call(claimCodes, { body: { studentIds } })).codes).toEqual([])
    expect(await byName('Zulu')).toEqual([
      expect.objectContaining({ guardian: null, onRoll: true }),
      expect.objectContaining({ guardian: null, onRoll: true }),
    ])

    // Who was claimed since stays.
    expect(await office.call(undoRoll, at(shown.id))).toMatchObject({
      undone: 0,
      kept: [{ name: 'Zulu One' }, { name: 'Zulu Two' }],
    })
  })

  test('a whole school with mistakes, and once more', async () => {
    const lines = Array.from({ length: wholeSchool }, (_, index) => {
      const isWrong = index % 20 === 3
      const family = Math.floor(index / 2)
      return `S-${index},Pupil ${index},${isWrong ? '13' : (index % 12) + 1},${index % 3}B,Guardian ${family},g${family}@example.org,0977${100000 + family}`
    })
    const shown = await previewed(...lines)
    const mistakes = Math.floor((wholeSchool + 16) / 20)
    expect(shown).toMatchObject({ new: wholeSchool - mistakes, matched: 0 })
    expect(shown.errors).toHaveLength(mistakes)
    const done = await apply(shown.id)
    expect(done.added).toBe(wholeSchool - mistakes)
    expect(done.codes.length).toBeGreaterThanOrEqual(wholeSchool / 2 - mistakes)
    const again = await previewed(...lines)
    expect(again).toMatchObject({ new: 0, changed: 0, same: wholeSchool - mistakes, matched: 0 })
  })

  test('a code ends after 90 days, and an import is undone within 7', async () => {
    const late = await previewed('F-1,Phiri One,2,,,,')
    const [letter] = (await apply(late.id)).codes
    canteen.setClock('2026-09-22T07:00:00+02:00')
    // The retention forgets the list from the same instant on.
    const refused = await codeOf(office.call(undoRoll, at(late.id)))
    expect(['undo_too_late', 'import_not_found']).toContain(refused)
    expect(await office.call(lastRollImport)).toEqual({ import: null })
    canteen.setClock('2026-12-14T07:00:00+02:00')
    const parent = await canteen.parent('phiri')
    const claiming = parent.call(claimStudents, { body: { code: letter!.code } })
    expect(await codeOf(claiming)).toBe('claim_code_wrong')
  })
})
