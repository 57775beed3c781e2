import { auditEntries } from '#contracts/audit'
import { getBooksSettings, saveBooksSettings, type BooksSettings } from '#contracts/books'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const asFirst: BooksSettings = {
  tpin: '',
  address: '',
  vatPercent: null,
  refundApprovalAbove: null,
  cardRefunds: false,
}
const other: BooksSettings = {
  tpin: '1001234567',
  address: 'Plot 12, Church Road\nLusaka',
  vatPercent: 17.5,
  refundApprovalAbove: 250.5,
  cardRefunds: true,
}

test('the settings of the books are empty until who has the feature settings sets them, and stand in the history', async () => {
  const office = await canteen.administrator('booksoffice', 'settings')
  const cook = await canteen.administrator('bookscook', 'kitchen')
  const { parent } = await canteen.family('ruth')
  expect(await office.call(getBooksSettings)).toMatchObject(asFirst)
  for (const other of [cook, parent]) {
    expect((await refused(other.call(getBooksSettings))).status).toBe(403)
    expect((await refused(other.call(saveBooksSettings, { body: asFirst }))).status).toBe(403)
  }
  expect(await office.call(saveBooksSettings, { body: other })).toMatchObject(other)
  expect(await office.call(getBooksSettings)).toMatchObject(other)
  const entry = await canteen.sweepUntil(async () => {
    const { data } = await canteen.superadminClient.call(auditEntries, {
      query: { kind: 'settings', limit: 100 },
    })
    return data.find(({ what }) => what.includes('Books settings changed')) ?? false
  })
  expect(entry?.details).toMatchObject({ old: { cardRefunds: false }, new: { refundApprovalAbove: 250.5 } })
})

test.each([
  [{ vatPercent: 0 }, 'vatPercent'],
  [{ vatPercent: 101 }, 'vatPercent'],
  [{ vatPercent: 17.555 }, 'vatPercent'],
  [{ refundApprovalAbove: -1 }, 'refundApprovalAbove'],
  [{ refundApprovalAbove: 1_000_000.01 }, 'refundApprovalAbove'],
  [{ tpin: '1'.repeat(41) }, 'tpin'],
  [{ address: 'x'.repeat(301) }, 'address'],
  [{ cardRefunds: 'yes' }, 'cardRefunds'],
])('%j is refused', async (wrong, field) => {
  const body = { ...asFirst, ...wrong } as BooksSettings
  const answer = await refused(canteen.superadminClient.call(saveBooksSettings, { body }))
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.fields ?? {})).toEqual([field])
})
