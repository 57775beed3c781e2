import { useState } from 'react'
import type { FormEvent } from 'react'
import { login } from '#contracts/identity'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { PageTitle } from '../../ui/page-title'
import { TextField } from '../../ui/text-field'

type Answer = { status: string; body: string }

const attempt = async (username: string, password: string): Promise<Answer> => {
  const response = await fetch(login.path, {
    method: login.method,
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return { status: `${response.status} ${response.statusText}`.trim(), body: await response.text() }
}

/** A login for testers that shows the bare answer: status and body (administrator.md section 2.17). */
export const DebugLogin = () => {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      setAnswer(await attempt(username, password))
    } catch (error) {
      setAnswer({ status: 'No answer', body: String(error) })
    }
  }
  return (
    <main className="mx-auto flex max-w-form flex-col gap-5 p-4 pt-10">
      <PageTitle>Login debug</PageTitle>
      <h1 className="font-display text-2xl font-semibold">Login debug</h1>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Username"
          autoCapitalize="none"
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit">Submit</Button>
      </form>
      <div aria-live="polite">
        {answer ? (
          <Card className="p-4">
            <p className="font-semibold">Status: {answer.status}</p>
            <pre className="mt-2 overflow-x-auto text-sm break-words whitespace-pre-wrap">{answer.body}</pre>
          </Card>
        ) : null}
      </div>
    </main>
  )
}
