import { rawRoute, anyone } from '#platform/http/route'
import { replyJson } from '#platform/http/error-replies'
import { receiveUpload, uploadBodyOf } from '#platform/http/body'
import { eventually } from '../../support/eventually'
import type { Exchange } from '../../support/http-exchange'
import { exampleSessions, startExampleServer } from './example-server'

const mebibyte = 1024 * 1024

test('of many uploads at once two are read, sixteen wait their turn, and the others are told when to come again', async () => {
  const leaving: (() => void)[] = []
  let inside = 0
  let most = 0
  const upload = rawRoute({
    method: 'POST',
    path: '/api/upload',
    access: anyone,
    options: { maxBodyBytes: uploadBodyOf(5 * mebibyte) },
    serve: async (context) => {
      inside += 1
      most = Math.max(most, inside)
      const { bytes } = await receiveUpload(context)
      await new Promise<void>((leave) => leaving.push(leave))
      inside -= 1
      replyJson(context, 200, { bytes: bytes.length })
    },
  })
  const server = await startExampleServer({ sessions: exampleSessions(), routes: [[upload]] })
  const file = Buffer.alloc(4 * mebibyte, 'a')
  const body = Buffer.concat([
    Buffer.from('--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'),
    file,
    Buffer.from('\r\n--cut--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=cut' }
  const send = () => server.ask('/api/upload', { method: 'POST', headers, body })
  const answered: Exchange[] = []
  const sending = Array.from({ length: 24 }, async () => {
    answered.push(await send())
  })
  await eventually(async () => answered.length === 6 && leaving.length === 2)
  for (const { status, headers: told, json } of answered)
    expect([status, told['retry-after'], json().code]).toEqual([429, '10', 'too_many_requests'])
  expect(inside).toBe(2)
  for (let left = 18; left > 0; left -= 1) {
    await eventually(async () => leaving.length > 0)
    leaving.shift()!()
  }
  await Promise.all(sending)
  expect(answered.slice(6).map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 200))
  expect(most).toBe(2)
  await server.close()
})
