import { myDiscounts } from '#contracts/discounts'
import type { ReplyOf } from '#contracts/endpoint'
import { listDiscountCodes } from '#contracts/order-reports'
import { applyRoll, claimStudents, previewRoll, undoRoll } from '#contracts/roll-import'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { withoutWorker } from '../ordering/without-worker'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = withoutWorker(await openCanteen({ ROLE: 'web' }))
  office = await canteen.administrator('head', 'parents_students', 'settings')
})
afterAll(() => canteen.close())

const upload = async (...lines: string[]): Promise<ReplyOf<typeof previewRoll>> => {
  const form = new FormData()
  const text = ['admissionNumber,student,grade,bursary,sponsor', ...lines].join('\n')
  form.set('file', new File([text], 'roll.csv', { type: 'text/csv' }))
  const response = await office.fetch(previewRoll.path, { method: 'POST', body: form })
  return previewRoll.reply.parse(await response.json())
}
const applied = async (...lines: string[]) => {
  const preview = await upload(...lines)
  const body = { remove: false }
  return { preview, ...(await office.call(applyRoll, { params: { id: preview.id }, body })) }
}
const codes = async (search: string) =>
  (await office.call(listDiscountCodes, { query: { search } })).data.map(
    ({ userId, student, sponsor, discountPercentage, isActive }) => ({
      userId,
      child: student?.name,
      sponsor,
      discountPercentage,
      isActive,
    }),
  )

describe('bursaries of the register', () => {
  test('wait for the account of the child, and count once it has one', async () => {
    const { preview, codes: letters } = await applied(
      'B-1,Luse Waits,9,75,Rotary',
      'B-2,Taonga Waits,9,,Rotary',
    )
    expect(preview).toMatchObject({ new: 2, bursaries: 1, errors: [] })
    const waiting = { child: 'Luse Waits', sponsor: 'Rotary', discountPercentage: 75, isActive: true }
    expect(await codes('Luse Waits')).toEqual([{ ...waiting, userId: null }])
    expect(await codes('Taonga Waits')).toEqual([])

    const { parent, userId } = await canteen.family('waits')
    const letter = letters.find(({ students }) => students[0]!.name === 'Luse Waits')!
    const [child] = await parent.call(claimStudents, { body: { code: letter.code } })
    expect((await parent.call(myDiscounts)).children).toEqual([
      { studentId: child!.id, discountPercentage: 75 },
    ])
    expect(await codes('Luse Waits')).toEqual([{ ...waiting, userId }])
  })

  test('stay where the cell is empty, change where it is not, end with 0, and undo takes that back', async () => {
    await applied('B-3,Chipo Stays,9,40,Rotary', 'B-4,Mary Ends,9,100,Lions', 'B-5,Joe Never,9,,')
    const of = (child: string, discountPercentage: number, sponsor: string, isActive = true) => [
      { userId: null, child, sponsor, discountPercentage, isActive },
    ]
    const again = await upload('B-3,Chipo Stays,9,40,Rotary', 'B-4,Mary Ends,9,,', 'B-5,Joe Never,9,0,Lions')
    expect(again).toMatchObject({ same: 3, bursaries: 0 })

    const { preview } = await applied('B-3,Chipo Stays,9,60,', 'B-4,Mary Ends,9,0,', 'B-5,Joe Never,9,,')
    expect(preview).toMatchObject({ same: 3, changed: 0, bursaries: 2 })
    expect(await codes('Chipo Stays')).toEqual(of('Chipo Stays', 60, 'Rotary'))
    expect(await codes('Mary Ends')).toEqual(of('Mary Ends', 100, 'Lions', false))

    await office.call(undoRoll, { params: { id: preview.id } })
    expect(await codes('Chipo Stays')).toEqual(of('Chipo Stays', 40, 'Rotary'))
    expect(await codes('Mary Ends')).toEqual(of('Mary Ends', 100, 'Lions'))
  })

  test('of children whom undoing removes are gone with them', async () => {
    const { preview } = await applied('B-6,Nosiku Gone,9,30,Rotary')
    await office.call(undoRoll, { params: { id: preview.id } })
    const kept = (await codes('Rotary')).map(({ child }) => child)
    expect(kept).toContain('Chipo Stays')
    expect(kept).not.toContain(undefined)
  })

  test('are whole numbers from 0 to 100', async () => {
    const { errors } = await upload(
      'B-7,One Child,9,101,',
      'B-8,Two Child,9,12.5,',
      'B-9,Three Child,9,half,',
      'B-10,Four Child,9,50%,n/a',
      'B-11,Five Child,9,50.0,',
      `B-12,Six Child,9,5,${'Lions '.repeat(11)}`,
    )
    expect(errors.map(({ row, column }) => [row, column])).toEqual([
      [2, 'bursary'],
      [3, 'bursary'],
      [4, 'bursary'],
      [7, 'sponsor'],
    ])
    expect(errors[0]?.message).toBe('101 is no bursary: write a whole number from 0 to 100')
  })
})
