import { firstPage } from '../../src/app/service/web'
import type { Principal } from '#platform/http/route'

const office = { role: 'admin', isSuperadmin: true, features: [] } as unknown as Principal
const readsAt = (address: string) => firstPage(office, new URL(address, 'http://school.test')).reads

test('a section of the console comes with what stands first in it', () => {
  expect(readsAt('/?section=kitchen')).toEqual(
    expect.arrayContaining(['/api/orders/today?page=1&pageSize=100', '/api/orders/conflicts']),
  )
  expect(readsAt('/')).toEqual(readsAt('/?section=menu'))
})

test.each(['nowhere', 'constructor', '__proto__'])(
  'a section that is none (%s) comes with the user alone',
  (name) => expect(readsAt(`/?section=${name}`)).toEqual(['/api/user', '/api/portal']),
)
