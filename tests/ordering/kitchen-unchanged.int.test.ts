import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, type Canteen } from './canteen'

let canteen: Canteen
let cook: Client
beforeAll(async () => {
  canteen = await openCanteen()
  cook = await canteen.administrator('cook', 'kitchen')
})
afterAll(() => canteen.close())

const paths = ['/api/orders/today', '/api/orders/week/1']

test('what has not changed is not sent again', async () => {
  const { parent, children } = await canteen.family('mwila', '1')
  await place(parent, [canteen.porridgeFor(children[0]!, 2, { comments: 'warm' })])
  for (const path of paths) {
    const first = await cook.fetch(path)
    const etag = first.headers.get('etag')!
    const again = await cook.fetch(path, { headers: { 'if-none-match': etag } })
    expect([first.status, again.status, await again.text()]).toEqual([200, 304, ''])
  }
})
