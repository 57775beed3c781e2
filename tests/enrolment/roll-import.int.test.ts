import type { ReplyOf } from '#contracts/endpoint'
import { listStudents, register, updateStudent } from '#contracts/identity'
import { roll } from '#contracts/enrolment'
import {
  applyRoll,
  claimCodes,
  claimStudents,
  lastRollImport,
  leavingChildren,
  previewedRows,
  previewRoll,
  undoRoll,
} from '#contracts/roll-import'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'
import { mailTo } from '../support/mails'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('bursar.office', 'parents_students')
})
afterAll(() => canteen.close())

// `ROLL_ROWS=1500` reads in a whole school.
const wholeSchool = Number(process.env['ROLL_ROWS'] ?? 60)

const heads = 'admissionNumber,student,grade,class,guardian,email,phone'
const codeOf = async (asked: Promise<unknown>) => (await refused(asked)).code
const at = (id: string) => ({ params: { id } })
const byName = async (text: string) => (await office.call(roll, { query: { text } })).data
const query = (sql: string) => canteen.infrastructure.database.pool.query(sql)

const claim = (parent: Client, code: string) => parent.call(claimStudents, { body: { code } })

const upload = async (client: Client, text: string) => {
  const form = new FormData()
  form.set('file', new File([text], 'roll.csv', { type: 'text/csv' }))
  const response = await client.fetch(previewRoll.path, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as unknown }
}
const previewed = async (...lines: string[]): Promise<ReplyOf<typeof previewRoll>> => {
  const { body } = await upload(office, [heads, ...lines].join('\n'))
  return previewRoll.reply.parse(body)
}
const apply = (
  id: string,
  body: { remove?: boolean; confirm?: number; decisions?: Record<string, number | 'new'> } = {},
) => office.call(applyRoll, { ...at(id), body: { remove: false, ...body } })

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

test('a list that is not kept is neither shown, applied nor undone; one that was not applied is not undone', async () => {
  const unknown = '01920000-0000-7000-8000-000000000001'
  const again = 'This list is not kept any more. Please upload it again.'
  for (const ask of [
    () => office.call(previewedRows, { ...at(unknown), query: {} }),
    () => office.call(leavingChildren, { ...at(unknown), query: {} }),
    () => apply(unknown),
  ])
    expect(await refused(ask())).toMatchObject({ status: 404, code: 'import_not_found', message: again })
  const { id } = await previewed('G-1,Mumba One,2,,,,')
  for (const one of [unknown, id])
    expect(await refused(office.call(undoRoll, at(one)))).toMatchObject({
      status: 404,
      code: 'import_not_found',
      message: 'There is no such import',
    })
})

test('what was shown is applied or nothing: an edit, another office, a process that dies in the middle', async () => {
  const one = await previewed('B-1,Bupe One,2,2A,Mrs Bupe,,', 'B-2,Bupe Two,2,2A,Mrs Bupe,,')
  const other = await previewed('B-1,Bupe One,2,2A,Mrs Bupe,,', 'B-2,Bupe Two,2,2A,Mrs Bupe,,')
  // Its connection is cut when the codes are written.
  await query(`create function identity.dies() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
  await query('create trigger dies before insert on identity.claim_codes execute function identity.dies()')
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
  const { rows } = await query('select hash from identity.claim_codes')
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
