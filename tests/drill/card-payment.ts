import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { registerParent } from '../../src/app/demo/client'
import { type Acknowledged, untilAnswered } from '../crash/family'
import type { CrashSchool } from '../crash/school'
import type { Cluster } from './cluster'

type Needs = {
  url: string
  school: CrashSchool
  acknowledged: Acknowledged
  cluster: Cluster
  key: string
}

/** Somebody pays at the provider; the leader is killed before the payment is verified. The meal must be there, once. */
export const payAcrossKill = async ({ url, school, acknowledged, cluster, key }: Needs) => {
  const client = await registerParent(url, {
    username: 'payer',
    password: 'parent-password',
    name: 'payer',
    email: 'payer@example.org',
  })
  const { id: studentId } = await client.call(addStudent, { body: { name: 'Child', grade: '3' } })
  const meal = { weekNumber: 2, dayOfWeek: 1, category: 'vegetarian', sideDish: null, comments: '' } as const
  const price = Number(school.paid.price)
  const cartItems = [{ ...meal, studentId, menuItemId: school.paid.id, originalPrice: price }]
  const headers = { 'idempotency-key': key }
  const body = { amount: price, cartItems }
  const payment = await untilAnswered(acknowledged, () => client.call(createPayment, { body, headers }))
  const transactionId = payment!.TransToken
  const form = new URLSearchParams({ outcome: 'pay', card: '4111111111111111' })
  await client.fetch(`/sandbox/pay/${transactionId}`, { method: 'POST', body: form })
  acknowledged.paid.add(transactionId)
  const leader = (await cluster.leader())!
  cluster.kill(leader)
  const from = Date.now()
  const verified = await untilAnswered(acknowledged, () =>
    client.call(verifyPayment, { params: { transactionId } }),
  )
  const ms = Date.now() - from
  const orders = (await client.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
  cluster.start(leader)
  await cluster.whole()
  const broken = [
    ...(verified?.success ? [] : ['the payment was not verified']),
    ...(orders.length === 1 ? [] : [`${orders.length} orders instead of one`]),
  ]
  return { ms, broken }
}
