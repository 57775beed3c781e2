import { africasTalking } from '../../src/adapters/sms'
import { smsGateway } from '../support/sms-gateway'

test('a gateway that cannot be reached is asked again', async () => {
  const closed = await smsGateway()
  await closed.close()
  const send = africasTalking({ url: closed.url, username: 'baobab', apiKey: 'k' }).send
  const sms = { id: 'a', writtenAt: new Date(), to: '+260971234567', text: 'x' }
  expect(await send(sms)).toMatchObject({ kind: 'not-taken', forGood: false })
})
