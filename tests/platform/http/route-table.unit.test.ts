import { nothing } from '#contracts/endpoint'
import type { Endpoint } from '#contracts/endpoint'
import type { Route } from '#platform/http/route'
import { anyone, route } from '#platform/http/route'
import { addressOf, routeTable } from '#platform/http/route-table'

const to = (method: Endpoint['method'], path: string): Route =>
  route(
    { method, path, status: 200, params: nothing, query: nothing, body: nothing, reply: nothing },
    anyone,
    () => Promise.resolve(undefined),
  )

const find = routeTable([
  to('GET', '/api/orders'),
  to('POST', '/api/orders'),
  to('GET', '/api/orders/today'),
  to('GET', '/api/orders/:id'),
  to('POST', '/api/orders/:id/cancel'),
  to('GET', '/api/orders/week/:week'),
  to('DELETE', '/api/orders/:orderId'),
  to('PUT', '/api/menu/:itemId/sides/:sideId'),
])

const found = (method: string, path: string) => {
  const match = find(method, path)?.match
  return match && { path: addressOf(match.route).path, params: match.params }
}

test.each([
  ['GET', '/api/orders', '/api/orders', {}],
  ['GET', '/api/orders/today', '/api/orders/today', {}],
  ['GET', '/api/orders/7.1.1.1.1', '/api/orders/:id', { id: '7.1.1.1.1' }],
  ['GET', '/api/orders/week', '/api/orders/:id', { id: 'week' }],
  ['GET', '/api/orders/week/3', '/api/orders/week/:week', { week: '3' }],
  ['POST', '/api/orders/today/cancel', '/api/orders/:id/cancel', { id: 'today' }],
  ['DELETE', '/api/orders/9', '/api/orders/:orderId', { orderId: '9' }],
  ['PUT', '/api/menu/4/sides/5', '/api/menu/:itemId/sides/:sideId', { itemId: '4', sideId: '5' }],
  ['HEAD', '/api/orders/9', '/api/orders/:id', { id: '9' }],
  ['GET', '/api/orders/a%2Fb%20c', '/api/orders/:id', { id: 'a/b c' }],
])('%s %s leads to %s', (method, asked, path, params) => {
  expect(found(method, asked)).toEqual({ path, params })
})

test.each([
  '/',
  '',
  '/api',
  '/api/',
  '/api/orders/',
  '/api//orders',
  '/api/orders//cancel',
  '/API/orders',
  '/api/orders/%zz',
  '/api/orders/7%00',
])('%s leads nowhere', (path) => {
  expect(find('GET', path)).toBeNull()
})

test('a path that takes other methods says which', () => {
  expect(find('PATCH', '/api/orders')).toEqual({ match: null, allow: 'GET, HEAD, POST' })
  expect(find('GET', '/api/orders/7/cancel')).toEqual({ match: null, allow: 'POST' })
})

test('two routes for one method and path are refused, whatever they call the parameter', () => {
  expect(() => routeTable([to('GET', '/api/menu/:id'), to('GET', '/api/menu/:itemId')])).toThrow(
    'Two routes answer GET /api/menu/:itemId',
  )
})
