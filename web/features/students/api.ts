import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import {
  addStudent,
  type AffectedOrder,
  deleteStudent,
  type Student,
  updateStudent,
} from '#contracts/identity'
import { claimStudents } from '#contracts/roll-import'
import { call, CallError, messageOf } from '../../lib/call'
import { refresh } from '../../lib/endpoint-query'
import { dayAndMonth } from '../../lib/format'
import { toast } from '../../lib/toast'
import { studentsQuery } from '../../queries/identity'

// Changes apply the server's answer to the list, then refetch it.

export const createChild = mutationOptions({
  mutationFn: (body: BodyOf<typeof addStudent>) => call(addStudent, { body }),
  onSuccess: (added, _body, _before, { client }) => {
    changeList(client, (list) => [...list, added])
    void refresh(client, 'identity')
  },
})

export const claimChildren = mutationOptions({
  mutationFn: (body: BodyOf<typeof claimStudents>) => call(claimStudents, { body }),
  onSuccess: (added, _body, _before, { client }) => {
    changeList(client, (list) => [...list, ...added])
    void refresh(client, 'identity', 'ordering')
  },
})

export const changeChild = mutationOptions({
  mutationFn: ({ id, ...body }: { id: number } & BodyOf<typeof updateStudent>) =>
    call(updateStudent, { params: { id }, body }),
  onSuccess: ({ affectedOrders, name, grade, id, version }, _body, _before, { client }) => {
    changeList(client, (list) =>
      list.map((student) => (student.id === id ? { ...student, name, grade, version } : student)),
    )
    if (affectedOrders.length > 0) toast({ ...notOfTheMenu(affectedOrders), kind: 'error' })
    void refresh(client, 'identity')
  },
})

export const removeChild = mutationOptions({
  mutationFn: (id: number) => call(deleteStudent, { params: { id } }),
  onSuccess: (_reply, removed, _before, { client }) => {
    changeList(client, (list) => list.filter(({ id }) => id !== removed))
    void refresh(client, 'identity', 'ordering')
  },
})

const notOfTheMenu = (orders: readonly AffectedOrder[]) => ({
  title: 'These lunches are of the menu for the other grades',
  text: orders.map(({ date, menuItem }) => `${dayAndMonth(date)}: ${menuItem}`).join(', '),
})

const changeList = (client: QueryClient, change: (list: Student[]) => Student[]) =>
  client.setQueryData<Student[]>(studentsQuery.queryKey, (list) => list && change(list))

/** The server's words, the spec's, or what to do without an answer. */
export const notifyFailure = (error: unknown, fallback: string): void =>
  toast({ title: 'Error', text: wordsOf(error, fallback), kind: 'error' })

const wordsOf = (error: unknown, fallback: string) =>
  error instanceof CallError && error.status === 401
    ? 'User not authenticated'
    : messageOf(error, fallback, `${fallback}. Please check your connection and try again.`)
