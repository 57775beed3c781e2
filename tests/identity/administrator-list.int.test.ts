import { administratorList, adminSorts, listAdmins, type AdminSort } from '#contracts/accounts'
import { createAdmin, type FeatureName } from '#contracts/identity'
import type { QueryOf } from '#contracts/endpoint'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal, signedIn } from './people'

let school: IdentityServer
let superadmin: Client
const administrator = async (username: string, allowedFeatures: FeatureName[]) => {
  const password = `${username}-secret`
  await superadmin.call(createAdmin, { body: { username, password, allowedFeatures } })
}
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
  superadmin = await signedIn(school, 'superadmin')
  await administrator('Wezi', ['menu', 'kitchen'])
  await administrator('abel', ['menu', 'admins'])
  await administrator('zita', ['refunds'])
  await parent(school, 'chola')
})
afterAll(() => school.close())
afterEach(() => expect(school.faults()).toEqual([]))

type Asked = QueryOf<typeof administratorList>
const list = (query: Asked = {}, client = superadmin) => client.call(administratorList, { query })
const names = async (query: Asked) => (await list(query)).data.map(({ username }) => username)

const ascending: Record<AdminSort, string[]> = {
  rank: ['superadmin', 'abel', 'Wezi', 'zita'],
  username: ['abel', 'superadmin', 'Wezi', 'zita'],
  features: ['zita', 'Wezi', 'abel', 'superadmin'],
  created: ['superadmin', 'Wezi', 'abel', 'zita'],
}

test.each(adminSorts)(
  'administrators are sorted by %s both ways, equal ones as they were made',
  async (sort) => {
    expect(await names({ sort })).toEqual(ascending[sort])
    expect(await names({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
  },
)

test('without an order the page is what the whole list begins with', async () => {
  const { data, metadata } = await list()
  expect(data).toEqual(await superadmin.call(listAdmins))
  expect(metadata).toMatchObject({ total: 4, page: 1, pageSize: 50, totalPages: 1 })
  expect((await list({ page: 2 })).data).toEqual([])
})

test('they are found by username and by a feature, which superadmin always holds', async () => {
  expect(await names({ search: 'WEZ' })).toEqual(['Wezi'])
  expect(await names({ search: 'chola' })).toEqual([])
  expect(await names({ feature: 'menu' })).toEqual(['superadmin', 'abel', 'Wezi'])
  expect(await names({ feature: 'menu', search: 'e', sort: 'username', direction: 'desc' })).toEqual([
    'Wezi',
    'superadmin',
    'abel',
  ])
  expect((await list({ feature: 'refunds' })).metadata.total).toBe(2)
})

test.each([{ sort: 'id' }, { direction: 'up' }, { feature: 'none' }, { page: -1 }])(
  'a query of %j is refused',
  async (query) => {
    await expect(list(query as never)).rejects.toEqual(refusal(422, 'validation_failed'))
  },
)

test('what may be done with each is told to the one who asks; without the feature nothing is', async () => {
  const abel = await signedIn(school, 'abel')
  expect((await list({ search: 'wezi' }, abel)).data[0]?.allowed).toEqual({
    features: ['menu', 'admins'],
    changePassword: false,
    disable: true,
    removeSecondFactor: false,
  })
  await expect(list({}, await signedIn(school, 'zita'))).rejects.toEqual(refusal(403, 'forbidden'))
})
