import { mutationOptions } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { addStudent, deleteStudent, listStudents, updateStudent } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

export const studentsQuery = endpointQuery('identity', listStudents, {})

export const createChild = mutationOptions({
  mutationFn: (body: BodyOf<typeof addStudent>) => call(addStudent, { body }),
  onSuccess: (_student, _body, _before, { client }) => refresh(client, 'identity'),
})

export const changeChild = mutationOptions({
  mutationFn: ({ id, ...body }: { id: number } & BodyOf<typeof updateStudent>) =>
    call(updateStudent, { params: { id }, body }),
  onSuccess: (_student, _body, _before, { client }) => refresh(client, 'identity'),
})

export const removeChild = mutationOptions({
  mutationFn: (id: number) => call(deleteStudent, { params: { id } }),
  onSuccess: (_reply, _id, _before, { client }) => refresh(client, 'identity', 'ordering'),
})
