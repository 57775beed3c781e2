import {
  undoVerified,
  verifyPending,
  confirmStatement,
  ignoreStatementRow,
  statementRows,
  undoStatementRow,
  unignoreStatementRow,
} from '#contracts/transfers'
import { approveRefund } from '#contracts/refunds'
import { refused } from '../ordering/canteen'
import { order } from '../payments/alternative-canteen'
import { openApprovalOffice, type ApprovalOffice } from '../refunds/approval-office'
import { airtelFile, uploaded } from '../support/upload-statement'
import { of, expectOnce, newName, type Acts } from './asked-once'

const line = (id: string) => `${id},14/09/2026 06:39:12,0977111111,X,45.50,lunch,Transaction Success`
const unpaid = async ({ canteen }: ApprovalOffice) => {
  const { parent, children } = await canteen.family(newName(), '9')
  const lines = [4, 5].map((day) => canteen.stewFor(children[0]!, day, { weekNumber: 3 }))
  const { orders } = await order(parent, lines)
  return orders.map(({ id }) => id) as [string, string]
}
const statement = async (school: ApprovalOffice) => {
  const client = school.canteen.superadminClient
  const ids = await unpaid(school)
  const bytes = airtelFile(line(`TX${newName()}`), line(`TX${newName()}`))
  const { id } = await uploaded(client, { bytes })
  const { data } = await client.call(statementRows, { params: { id }, query: {} })
  const [one, two] = data.map((row, index) => ({ rowId: row.id, orderIds: [ids[index]!] }))
  return { params: { id }, one: one!, two: two! }
}

describe('of what was paid outside of the card provider', () => {
  let office: ApprovalOffice
  beforeAll(async () => {
    office = await openApprovalOffice()
  })
  afterAll(() => office.canteen.close())

  const acts: Acts<ApprovalOffice> = [
    [
      'verifying payments',
      async (school) => {
        const [one, two] = await unpaid(school)
        const client = school.canteen.superadminClient
        return of(client, verifyPending, { body: { orderIds: [one] } }, { body: { orderIds: [two] } })
      },
    ],
    [
      'undoing what was verified',
      async (school) => {
        const ids = await unpaid(school)
        await school.canteen.verify(ids)
        const [one, two] = ids
        const client = school.canteen.superadminClient
        return of(client, undoVerified, { body: { orderIds: [one] } }, { body: { orderIds: [two] } })
      },
    ],
    [
      'confirming rows of a statement',
      async (school) => {
        const { params, one, two } = await statement(school)
        const client = school.canteen.superadminClient
        return of(
          client,
          confirmStatement,
          { params, body: { rows: [one] } },
          { params, body: { rows: [two] } },
        )
      },
    ],
    [
      'undoing a row of a statement',
      async (school) => {
        const { params, one, two } = await statement(school)
        const client = school.canteen.superadminClient
        await client.call(confirmStatement, { params, body: { rows: [one, two] } })
        return of(client, undoStatementRow, { params: { id: one.rowId } }, { params: { id: two.rowId } })
      },
    ],
    [
      'ignoring a row of a statement',
      async (school) => {
        const { one, two } = await statement(school)
        const client = school.canteen.superadminClient
        return of(client, ignoreStatementRow, { params: { id: one.rowId } }, { params: { id: two.rowId } })
      },
    ],
    [
      'opening an ignored row again',
      async (school) => {
        const { one, two } = await statement(school)
        const client = school.canteen.superadminClient
        for (const { rowId: id } of [one, two]) await client.call(ignoreStatementRow, { params: { id } })
        return of(client, unignoreStatementRow, { params: { id: one.rowId } }, { params: { id: two.rowId } })
      },
    ],
  ]
  test.each(acts)('%s', async (_what, prepare) => expectOnce(office.canteen, await prepare(office)))

  test('a call that was refused leaves its key free', async () => {
    const [one] = await unpaid(office)
    const { superadminClient: client } = office.canteen
    const verify = (orderIds: string[], more = {}) =>
      client.call(verifyPending, {
        body: { orderIds, ...more },
        headers: { 'idempotency-key': 'corrected' },
      })
    expect(
      (
        await refused(
          client.call(approveRefund, {
            params: { id: '1.2020-01-06.1' },
            headers: { 'idempotency-key': 'corrected' },
          }),
        )
      ).status,
    ).toBe(404)
    expect(await verify([one])).toMatchObject({ updated: 1 })
  })
})
