import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addStudent, currentUser, login } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import type { Endpoint } from '#contracts/endpoint'
import { addressOf } from '#platform/http/route-table'
import { openCanteen, place } from '../ordering/canteen'
import type { Canteen } from '../ordering/canteen'
import { fuzz } from './fuzz'
import { sqlWords } from './hostile-values'
import { targetsOf, unknownTo } from './targets'

const requests = Number(process.env.FUZZ_REQUESTS ?? 1_500)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_117)
const password = 'parent-password'
const pushSecret = 'a-push-secret-for-the-fuzz'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({ DPO_PUSH_SECRET: pushSecret })
})
afterAll(() => canteen.close())

/** Families with orders and payments, whose ids the requests may name, and the carts that went through. */
const lived = async () => {
  const parent = await canteen.parent('mwila', { email: 'mwila@example.org' })
  const { id: userId } = await parent.call(currentUser)
  const small = await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
  const big = await parent.call(addStudent, { body: { name: 'Taonga', grade: '9' } })
  const [order] = await place(parent, [canteen.porridgeFor(small, 2)])
  await canteen.discount(userId, 10)
  const payment = { amount: 40.95, cartItems: [canteen.stewFor(big, 5, { discountedPrice: 40.95 })] }
  const { TransToken, companyRef } = await parent.call(createPayment, { body: payment })
  const { id: superadminId } = await canteen.superadminClient.call(currentUser)
  const { porridge, stew } = canteen.items
  const words = [order!.id, TransToken, companyRef, 'mwila', password, 'beef', 'Banana', pushSecret]
  return {
    superadminId,
    known: {
      numbers: [userId, small.id, big.id, porridge.id, stew.id, canteen.cycle.id],
      words: [...words, ...sqlWords],
    },
    accounts: { parent: { username: 'mwila', password } },
    seen: {
      [placeOrders.path]: [1, 3, 4].map((day) => [canteen.porridgeFor(small, day)]),
      [createPayment.path]: [payment],
      [login.path]: [{ username: 'mwila', password }],
    },
  }
}

test(`no request of ${requests} breaks the service (seed ${seed})`, async () => {
  const { known, accounts, seen, superadminId } = await lived()
  const spared = ({ path }: { path: string }) => path.startsWith(`/api/users/${superadminId}/password`)
  const report = await fuzz({
    school: canteen,
    targets: targetsOf(canteen.routes, seen),
    known,
    accounts,
    requests,
    seed,
    spared,
  })
  process.stdout.write(
    `fuzz: ${report.requests} requests to ${canteen.routes.length} routes, seed ${seed}: ${JSON.stringify(report.statuses)}\nnever through: ${report.neverThrough.join(', ')}\n`,
  )
  expect(report.faults).toEqual([])
  expect(report.requests).toBeGreaterThanOrEqual(requests)
}, 1_200_000)

test('every route that is served is fuzzed, and every contract is served', () => {
  expect(unknownTo(canteen.routes)).toEqual([])
  const served = new Set(canteen.routes.map(addressOf).map(({ method, path }) => `${method} ${path}`))
  expect(contracts().filter(({ method, path }) => !served.has(`${method} ${path}`))).toEqual([])
})

const contracts = (): Endpoint[] => {
  const folder = join(__dirname, '../../src/contracts')
  return readdirSync(folder)
    .flatMap((file) => Object.values(require(join(folder, file)) as Record<string, Endpoint>))
    .filter((value) => value && value.method && value.path && value.reply)
}
