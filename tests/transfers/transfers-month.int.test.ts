import { orderHistory } from '#contracts/payments-console'
import { confirmStatement, statementRows, undoStatementRow, type StatementRow } from '#contracts/transfers'
import { sum } from '#kernel/money'
import type { EventStore } from '#platform/event-store/event-store'
import { contextsOf } from '#platform/module'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import type { Client } from '../../src/app/demo/client'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { sweeping } from '../support/school'
import { silentLog } from '../support/start-postgres'
import { type Due, bankMapping, statementFiles, statementMonth } from '../support/statement-month'
import { airtelFile, uploaded } from '../support/upload-statement'

const wanted = Number(process.env['TRANSFERS'] ?? 24)
const from = new Date('2026-08-24T06:00:00+02:00')
const maxDays = 19
const maxChildren = 12
const price = 4550

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, sweeping)
  // A week's MTN statement of one row does not tell by itself which account is the school's.
  await canteen.set({ mtnMoney: { name: 'School', number: '0960 000 000' } })
})
afterAll(() => canteen.close())

/** A family with a child for each day of so many meals that are to be paid one by one. */
const owingFamily = async (number: number, meals: number): Promise<Due[]> => {
  const username = `family${number}`
  const grades = Array.from({ length: Math.ceil(meals / maxDays) }, () => '9' as const)
  const { parent, userId, children } = await canteen.payingFamily(username, ...grades)
  const dues: Due[] = []
  for (let meal = 0; meal < meals; meal += 1) {
    const day = [...Array(maxDays + 1).keys()].filter((one) => one !== 7)[meal % maxDays]!
    const line = canteen.stewFor(children[Math.floor(meal / maxDays)]!, (day % 5) + 1, {
      weekNumber: Math.floor(day / 5) + 1,
    })
    const { orders, payment } = await order(parent, [line])
    dues.push({
      reference: payment!.reference,
      userId,
      name: username,
      phone: `097700${String(number).padStart(4, '0')}`,
      orders: orders.map(({ id }) => ({ id, amount: price })),
    })
  }
  return dues
}

/** What all families have to pay, in turns. */
const allDues = async (): Promise<Due[]> => {
  const families = Math.max(4, Math.ceil(wanted / (maxDays * maxChildren)))
  const meals = Math.ceil(wanted / families)
  const owing = await Promise.all(Array.from({ length: families }, (_, number) => owingFamily(number, meals)))
  return Array.from({ length: meals }, (_, meal) => owing.map((dues) => dues[meal]!)).flat()
}

/** The process dies between two streams of the next append that confirms a transfer, as a store without transactions lets it. */
const dieInNextConfirmation = (eventStore: Pick<EventStore, 'append'>) => {
  const { append } = eventStore
  eventStore.append = async (appends) => {
    if (!appends.some(({ stream }) => stream.startsWith('transfer-'))) return append(appends)
    eventStore.append = append
    await append(appends.filter(({ stream }) => stream.startsWith('transfer-')))
    throw new Error('The process has died')
  }
}

const one = async (sql: string) => Number((await canteen.infrastructure.database.pool.query(sql)).rows[0].sum)
const confirmAll = (office: Client, id: number, key?: string) =>
  office.call(confirmStatement, {
    params: { id },
    body: { allExact: true },
    headers: key === undefined ? undefined : { 'idempotency-key': key },
  })

const openRowsOf = async (id: number): Promise<StatementRow[]> => {
  const rows: StatementRow[] = []
  for (let page = 1; ; page += 1) {
    const { data, metadata } = await canteen.superadminClient.call(statementRows, {
      params: { id },
      query: { page, limit: 100 },
    })
    rows.push(...data)
    if (page >= metadata.totalPages) return rows.filter(({ state }) => state !== 'confirmed')
  }
}

test('a month of transfers: files overlap and come twice, two administrators confirm at once, one process dies; each transaction pays once and the books balance', async () => {
  const dues = await allDues()
  const transfers = statementMonth(dues, { from, perDay: Math.ceil(wanted / 20) })
  const { superadminClient: first } = canteen
  const second = await canteen.administrator('clerk', 'pending_payments')
  const ids: number[] = []
  for (const office of [first, second])
    for (const { layout, name, bytes } of statementFiles(transfers, from)) {
      const mapping = layout === 'bank' ? { mapping: bankMapping } : {}
      const { id, new: added } = await uploaded(office, { bytes, name, source: layout, ...mapping })
      if (office === first) ids.push(id)
      else expect(added).toBe(0)
    }

  dieInNextConfirmation(canteen.infrastructure.eventStore)
  await expect(confirmAll(first, ids[0]!)).rejects.toThrow()
  canteen.setClock(new Date(canteen.now().getTime() + 60_000))
  for (const id of ids) await Promise.all([confirmAll(first, id), confirmAll(second, id)])

  const open = (await Promise.all(ids.map(openRowsOf))).flat()
  const wellWritten = new Set(
    transfers.filter((transfer) => transfer.wellWritten).map(({ transactionId }) => transactionId),
  )
  const missed = open.filter(({ transactionId }) => wellWritten.has(transactionId!))
  expect(missed.length).toBeLessThanOrEqual(wellWritten.size / 20)

  const familyOf = new Map(transfers.map((transfer) => [transfer.transactionId, transfer.phone]))
  const rest = ids.length > 0 ? open : []
  const skipped = await Promise.all(
    [first, second].map((office) =>
      office.call(confirmStatement, {
        params: { id: ids[0]! },
        body: {
          rows: rest.map((row) => {
            const phone = familyOf.get(row.transactionId!)
            return { rowId: row.id, orderIds: [], surplusTo: dues.find((due) => due.phone === phone)!.userId }
          }),
        },
      }),
    ),
  )
  expect(sum(skipped.map(({ confirmed }) => confirmed))).toBe(rest.length)
  expect(new Set(skipped.flatMap((each) => each.skipped.map(({ code }) => code)))).toEqual(
    new Set(['row_confirmed']),
  )

  const came = sum(transfers.map(({ amount }) => amount))
  await eventually(async () =>
    expect(
      (await one(`select sum(money) from books.orders where transfer_id is not null`)) +
        (await one(`select sum(balance) from credit.accounts`)),
    ).toBe(came),
  )
  expect(await one('select count(*) as sum from transfers.transfers where confirmed')).toBe(transfers.length)
  expect(await one('select sum(amount) from transfers.transfers where confirmed')).toBe(came)
  expect(await one(`select sum(amount) from books.receipts where kind = 'receipt'`)).toBe(came)

  const paid = (await first.call(statementRows, { params: { id: ids[0]! }, query: {} })).data[0]!
  await first.call(undoStatementRow, { params: { id: paid.id } })
  canteen.setClock(new Date(canteen.now().getTime() + 2 * 3_600_000))
  const config = readConfig({ DATABASE_URL: canteen.databaseUrl, DATA_DIR: canteen.dataDir })
  const quietly = { log: silentLog, now: canteen.now, against: null, onProgress: () => undefined }
  expect(await auditSchool(canteen.infrastructure, config, quietly)).toMatchObject({ exitCode: 0 })
  await expectRebuildEqualsLive({
    ...canteen.infrastructure,
    contexts: contextsOf(canteen.modules).filter(({ name }) =>
      ['payments', 'ordering', 'books'].includes(name),
    ),
    filled: ['transfers.transfers', 'books.transfers', 'ordering.orders'],
  })
})

test('the history of an order tells who confirmed it, with row, transaction id, payer and date', async () => {
  const { parent, children } = await canteen.payingFamily('telling', '9')
  const { orders, payment } = await order(parent, [canteen.stewFor(children[0]!, 4, { weekNumber: 3 })])
  const office = canteen.superadminClient
  const bytes = airtelFile(
    `TELL1,14/09/2026 06:39:12,0977111111,Mary Banda,45.50,${payment!.reference},Transaction Success`,
  )
  const { id } = await uploaded(office, { bytes })
  for (let repeat = 0; repeat < 2; repeat += 1)
    expect(await confirmAll(office, id, 'key-1')).toEqual({ confirmed: 1, skipped: [] })
  expect(await confirmAll(office, id, 'key-2')).toEqual({ confirmed: 0, skipped: [] })
  const { data: history } = await office.call(orderHistory, { params: { id: orders[0]!.id } })
  expect(history).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        who: 'superadmin',
        what: 'K45.50 by Airtel Money confirmed: it pays 1 meal of telling',
        details: {
          'Transaction id': 'TELL1',
          Payer: 'Mary Banda',
          Phone: '+260 97• ••• 111',
          'Paid at': '2026-09-14 06:39',
          'Row of a statement': expect.stringMatching(/^…/),
        },
      }),
    ]),
  )
})
