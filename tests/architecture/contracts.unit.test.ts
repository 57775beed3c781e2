import { composed } from '../../scripts/composed'
import { contractsPage } from '../../scripts/contracts-page'
import { fileText } from '../support/repository'

test('docs/contracts.json is what npm run docs:contracts writes', () => {
  expect(fileText('docs/contracts.json').split('\n')).toEqual(contractsPage().split('\n'))
})

// They keep their key in the transaction of the act itself.
const keepTheirKey = [
  'POST /api/orders/cancel',
  'POST /api/orders/substitute',
  'POST /api/order-cycles/:id/closures',
]

test('what a caller sends with an Idempotency-Key is what the server holds to one request', () => {
  const routes = composed()
    .flatMap((module) => module.routes)
    .flatMap((route) => (route.kind === 'json' ? [route] : []))
  const nameOf = ({ endpoint }: (typeof routes)[number]) => `${endpoint.method} ${endpoint.path}`
  const sent = routes.filter(({ endpoint }) => endpoint.once).map(nameOf)
  const held = routes.filter(({ options }) => options.once).map(nameOf)
  expect(sent.toSorted()).toEqual([...held, ...keepTheirKey].toSorted())
})
