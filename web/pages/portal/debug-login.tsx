import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { login } from '#contracts/identity'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { TextField } from '../../ui/field'
import { PageTitle } from '../../ui/page-title'

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

/** administrator.md section 2.17. */
export const DebugLogin = () => {
  // Unvalidated: shows the server's raw answer.
  const { register, handleSubmit } = useForm({ defaultValues: { username: '', password: '' } })
  const [answer, setAnswer] = useState<Answer | null>(null)
  const submit = handleSubmit(async ({ username, password }) => {
    try {
      setAnswer(await attempt(username, password))
    } catch (error) {
      setAnswer({ status: 'No answer', body: String(error) })
    }
  })
  return (
    <main className="mx-auto flex max-w-form flex-col gap-5 p-4 pt-10">
      <PageTitle>Login debug</PageTitle>
      <h1 className="font-display text-2xl font-semibold">Login debug</h1>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label="Username" autoCapitalize="none" {...register('username')} />
        <TextField label="Password" type="password" {...register('password')} />
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
