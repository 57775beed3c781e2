import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '#contracts/endpoint'
import { demoSignIns } from '../../src/app/demo/demo-school'
import { fileText } from '../support/repository'

const contracts = join(__dirname, '../../src/contracts')

const endpoints = async (): Promise<Endpoint[]> => {
  const exported = await Promise.all(readdirSync(contracts).map((file) => import(join(contracts, file))))
  return exported
    .flatMap((module) => Object.values(module as object))
    .filter((value) => typeof value?.path === 'string' && typeof value?.method === 'string')
}

type Request = { method: string; path: string; body: string }

/** The requests of the page; a variable stands for 1. */
const requests: Request[] = fileText('docs/requests.http')
  .replaceAll(/(?<!\{\{host)\{\{(?!host)[^}]+\}\}/g, '1')
  .split(/^### .*$/m)
  .slice(1)
  .map((text) => {
    const [, method = '', path = ''] = /^([A-Z]+) \{\{host\}\}([^\s?]+)/m.exec(text) ?? []
    const [, body = ''] =
      /Content-Type: application\/json\n(?:Idempotency-Key: .*\n)?\n([\s\S]*)/.exec(text) ?? []
    return { method, path, body: body.trim() }
  })

const serves = (endpoint: Endpoint, { method, path }: Request) => {
  const names = endpoint.path.split('/')
  const parts = path.split('/')
  return (
    endpoint.method === method &&
    names.length === parts.length &&
    names.every((name, index) => name.startsWith(':') || name === parts[index])
  )
}

test('each request of docs/requests.http has a contract, and a body that the contract takes', async () => {
  const all = await endpoints()
  const served = requests.filter(({ path }) => !path.startsWith('/sandbox/'))
  expect(served.length).toBeGreaterThan(20)
  for (const request of served) {
    // A fixed path before one with a parameter, as the router has it.
    const [endpoint] = all
      .filter((one) => serves(one, request))
      .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
    expect({ ...request, path: endpoint?.path }).toMatchObject({ path: expect.any(String) })
    if (request.body !== '') expect(endpoint!.body.safeParse(JSON.parse(request.body)).error).toBeUndefined()
  }
})

test('docs/requests.http signs in with the names and passwords of the demonstration', () => {
  const used = requests
    .filter(({ path }) => path === '/api/login')
    .map(({ body }) => JSON.parse(body) as object)
  const known = Object.values(demoSignIns).map(({ username, password }) => ({ username, password }))
  expect(used).toHaveLength(4)
  expect(known).toEqual(expect.arrayContaining(used))
})
