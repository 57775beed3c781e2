import { unreachable } from './dpo-fields'
import type { Unreachable } from './provider'

export type Posted = { kind: 'answered'; text: string } | Unreachable

const mostBytes = 256 * 1024

// DPO's front answers 403 to whoever sends no User-Agent.
const headers = {
  'Content-Type': 'application/xml; charset=utf-8',
  Accept: 'application/xml, text/xml',
  'User-Agent': 'Tuckshop/1.0',
}

/**
 * Posts XML and answers the text of a 200, at most 256 KiB, all within `timeoutMs`; anything else is unreachable.
 * Never follows a redirect: the body holds the credential and goes to the configured address alone.
 */
export const postXml = async (
  send: typeof fetch,
  url: string,
  body: string,
  timeoutMs: number,
): Promise<Posted> => {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      return unreachable('http-status', String(response.status))
    }
    const text = await readText(response)
    return text === null ? unreachable('too-large') : { kind: 'answered', text }
  } catch (error) {
    return signal.aborted ? unreachable('timeout') : unreachable('no-connection', codeWord(error))
  }
}

const readText = async (response: Response): Promise<string | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop ends the transfer.
    if (size > mostBytes) return null
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Of an error only its code word (ECONNRESET): its message may quote what was sent. */
const codeWord = (error: unknown): string | null => {
  const code = property(property(error, 'cause') ?? error, 'code')
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : null
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
