import type { Endpoint, ReplyOf } from '#contracts/endpoint'
import { replyIn } from './call'

const timeoutMs = 120_000

/**
 * Sends a file as `file` of a form and tells how much of it has gone, from 0 to 1, which `fetch` does not. The path has no
 * parameters. Throws CallError, or TypeError with words for people when no answer came.
 */
export const sendFile = <E extends Endpoint>(
  endpoint: E,
  file: File,
  onSent: (share: number) => void,
): Promise<ReplyOf<E>> =>
  new Promise((resolve, reject) => {
    const form = new FormData()
    form.set('file', file)
    const request = new XMLHttpRequest()
    request.open(endpoint.method, endpoint.path)
    request.setRequestHeader('Accept', 'application/json')
    request.timeout = timeoutMs
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0))
    request.upload.addEventListener('load', () => onSent(1))
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request
      try {
        resolve(replyIn(endpoint, { ok: status < 400, status, statusText }, responseText))
      } catch (error) {
        reject(error)
      }
    })
    const lost = () =>
      reject(new TypeError('No answer. Please check your connection, choose the file and try again.'))
    request.addEventListener('error', lost)
    request.addEventListener('timeout', lost)
    request.send(form)
  })
