import type { ReplyOf } from '#contracts/endpoint'
import { addStudent, currentUser, listStudents, verifyEmail } from '#contracts/identity'
import { deleteParent } from '#contracts/accounts'
import { moveStudent, roll } from '#contracts/enrolment'
import { applyRoll, claimCodes, claimStudents, previewRoll } from '#contracts/roll-import'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { mailTo } from '../support/mails'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('bursar.office', 'parents_students')
})
afterAll(() => canteen.close())

const heads = 'admissionNumber,student,grade,class,guardian,email,phone'
const query = (sql: string) => canteen.infrastructure.database.pool.query(sql)
const byName = async (text: string) => (await office.call(roll, { query: { text } })).data

const previewed = async (...lines: string[]): Promise<ReplyOf<typeof previewRoll>> => {
  const form = new FormData()
  form.set('file', new File([[heads, ...lines].join('\n')], 'roll.csv', { type: 'text/csv' }))
  const response = await office.fetch(previewRoll.path, { method: 'POST', body: form })
  return previewRoll.reply.parse(await response.json())
}
const imported = async (...lines: string[]) => {
  const { id } = await previewed(...lines)
  return office.call(applyRoll, { params: { id }, body: { remove: false } })
}

const verified = async (username: string, email: string): Promise<Client> => {
  const client = await canteen.parent(username, { email })
  const { text } = await mailTo(canteen, email, 'Please confirm')
  const { searchParams } = new URL(/http\S+verify-email\S+/.exec(text)![0])
  await client.call(verifyEmail, { body: { token: searchParams.get('token')! } })
  expect((await client.call(currentUser)).emailVerified).toBe(true)
  return client
}

test('an import puts no child on an account, also on one with the verified address of the list', async () => {
  const account = await verified('kunda', 'kunda@example.org')
  const { codes } = await imported('K-1,Kunda One,2,2A,Mrs Kunda,kunda@example.org,')
  expect(await account.call(listStudents)).toEqual([])
  expect(codes).toEqual([expect.objectContaining({ mailed: true })])
  await account.call(claimStudents, { body: { code: codes[0]!.code } })
  // A child that is on an account stays there.
  const again = await imported('K-1,Kunda One,3,3A,Mrs Kunda,other@example.org,')
  expect(again).toMatchObject({ changed: 1, codes: [] })
  expect(await account.call(listStudents)).toEqual([expect.objectContaining({ grade: '3' })])
})

test('the address of the list is told when its children go to an account by a code or by the office', async () => {
  const { codes } = await imported(
    'L-1,Luse One,2,2A,Mrs Luse,lweendo@example.org,',
    'L-2,Luse Two,2,2A,Mrs Luse,lweendo@example.org,',
    'M-1,Moono,2,2A,Mr Moono,moono@example.org,',
  )
  const code = codes.find(({ students }) => students.length === 2)!.code
  for (const address of ['lweendo@example.org', 'moono@example.org'])
    await mailTo(canteen, address, 'Your family')
  const stranger = await canteen.parent('stranger', { email: 'stranger@example.org' })
  await stranger.call(claimStudents, { body: { code } })
  const { text } = await mailTo(canteen, 'lweendo@example.org', 'added to an account')
  expect(text).toContain('2 children')
  expect(text).not.toMatch(/Luse|stranger/)
  const [moono] = await byName('Moono')
  const { id: parentId } = await stranger.call(currentUser)
  await office.call(moveStudent, { params: { id: moono!.id }, body: { parentId } })
  await mailTo(canteen, 'moono@example.org', 'added to an account')
})

test('placeholders and an address of different guardians join nobody, and are named; the office joins them', async () => {
  const lines = [
    '1001,Chanda Mulenga,3,3A,Mother,none@none.com,0000000000',
    '1002,Bupe Zulu,5,5B,Mother,none@none.com,0000000000',
    '1003,Luse Phiri,2,2A,n/a,-,n/a',
    '1004,Tapiwa Daka,2,2A,n/a,-,n/a',
    '1005,Mwila Sata,2,2A,Ruth Sata,office@school.example,0977 111 222',
    '1006,Mwape Sata,3,3A,Mrs R. Sata,office@school.example,+260977111222',
    '1007,Njavwa Tembo,3,3A,Paul Tembo,office@school.example,',
    '1008,Pemba Tembo,4,4A,Paul Tembo,,',
  ]
  const shown = await previewed(...lines)
  expect(shown.errors).toEqual([])
  expect(shown.notJoined).toEqual(
    expect.arrayContaining([
      {
        column: 'email',
        value: 'none@none.com',
        why: 'placeholder',
        children: 2,
        students: ['Chanda Mulenga', 'Bupe Zulu'],
      },
      expect.objectContaining({ column: 'phone', value: '0000000000', children: 2 }),
      expect.objectContaining({ column: 'phone', value: 'n/a', students: ['Luse Phiri', 'Tapiwa Daka'] }),
      expect.objectContaining({ column: 'email', value: '-', children: 2 }),
      expect.objectContaining({
        column: 'email',
        value: 'office@school.example',
        why: 'shared',
        children: 3,
      }),
      expect.objectContaining({ column: 'guardian', value: 'Paul Tembo', why: 'name', children: 2 }),
    ]),
  )
  const { codes } = await office.call(applyRoll, { params: { id: shown.id }, body: { remove: false } })
  const families = codes.map(({ students, mailed }) => [students.map(({ name }) => name).join(), mailed])
  expect(new Map(families as [string, boolean][])).toEqual(
    new Map([
      ['Chanda Mulenga', false],
      ['Bupe Zulu', false],
      ['Luse Phiri', false],
      ['Tapiwa Daka', false],
      ['Mwila Sata,Mwape Sata', false],
      ['Njavwa Tembo', false],
      ['Pemba Tembo', false],
    ]),
  )
  const studentIds = (await byName('Tembo')).map(({ id }) => id)
  const one = await office.call(claimCodes, { body: { studentIds, together: true } })
  expect(one.codes.map(({ students }) => students.length)).toEqual([2])
  const parent = await canteen.parent('tembo')
  await parent.call(claimStudents, { body: { code: one.codes[0]!.code } })
  expect(await parent.call(listStudents)).toHaveLength(2)
})

test('a list that a spreadsheet took the zeros from neither adds a child nor lets one leave', async () => {
  await imported('00101,Zeronia Banda,4,,,,', '00102,Zeronus Phiri,5,,,,')
  const shown = await previewed('101,Zeronia Banda,4,,,,', '102.0,Zeronus Phiri,6,,,,')
  expect(shown.rows.map(({ state, admissionNumber }) => [state, admissionNumber])).toEqual([
    ['same', '00101'],
    ['changed', '00102'],
  ])
  await office.call(applyRoll, { params: { id: shown.id }, body: { remove: false } })
  expect((await byName('Zeron')).map(({ admissionNumber }) => admissionNumber)).toEqual(['00101', '00102'])
})

test('a candidate is shown with the address of its account and whether that is verified', async () => {
  const account = await canteen.parent('headteacher', { email: 'someone@example.org', name: 'Head Teacher' })
  await account.call(addStudent, { body: { name: 'Sepo Ng’andu', grade: '4' } })
  const shown = await previewed("N-1,SEPO NG'ANDU,4,4A,Mrs Ng'andu,real@example.org,")
  expect(shown.rows).toEqual([
    expect.objectContaining({
      state: 'matched',
      isClear: false,
      candidates: [
        expect.objectContaining({
          account: { username: 'headteacher', email: 'someone@example.org', emailVerified: false },
        }),
      ],
    }),
  ])
})

test('nothing of a deleted family stays in lists that were uploaded, applied or not', async () => {
  const { codes } = await imported(
    'P-1,Perpetua Vanishing,2,2A,Mrs Vanishing,vanish@example.org,0966 777 888',
  )
  const parent = await canteen.parent('vanishing')
  const { id } = await parent.call(currentUser)
  await parent.call(claimStudents, { body: { code: codes[0]!.code } })
  await imported(
    'P-1,Perpetua Vanishing,3,3A,Mrs Vanishing,vanish@example.org,0966 777 888',
    'P-2,Stays,3,3A,,,',
  )
  await previewed('P-1,Perpetua Vanishing,4,4A,,,')
  await office.call(deleteParent, { params: { id } })
  const { rows } = await query('select row_to_json(one)::text as text from identity.roll_imports one')
  const kept = rows.map(({ text }) => text as string).join('\n')
  expect(kept).not.toMatch(/vanish/i)
  expect(kept).not.toContain('0966 777 888')
  expect(kept).toContain('Stays')
})
