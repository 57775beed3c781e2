import { Server, type sendUnaryData } from '@grpc/grpc-js'
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb'
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb'
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb'
import { appendCall } from './append-call'
import type { NodeState } from './node-state'
import { readCall } from './read-call'

/**
 * The calls of one node. It says it can append in batches, as real ones do, and has no such call: a client that would
 * use it fails here.
 */
export const nodeServer = (node: NodeState): Server => {
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 })
  server.addService(StreamsService, { append: appendCall(node), read: readCall(node) })
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_: unknown, reply: sendUnaryData<SupportedMethods>) => reply(null, features()),
  })
  server.addService(GossipService, {
    read: (_: unknown, reply: sendUnaryData<ClusterInfo>) => reply(null, members(node)),
  })
  return server
}

const features = () => {
  const batch = new SupportedMethod()
  batch.setServiceName('event_store.client.streams.streams')
  batch.setMethodName('batchappend')
  const supported = new SupportedMethods()
  supported.setEventStoreServerVersion('24.10.0')
  supported.setMethodsList([batch])
  return supported
}

const members = (node: NodeState) => {
  const info = new ClusterInfo()
  info.addMembers(member(node.leader ?? node.port, MemberInfo.VNodeState.LEADER))
  if (node.leader !== null) info.addMembers(member(node.port, MemberInfo.VNodeState.FOLLOWER))
  return info
}

const member = (port: number, state: MemberInfo.VNodeState) => {
  const endPoint = new EndPoint()
  endPoint.setAddress('127.0.0.1')
  endPoint.setPort(port)
  const info = new MemberInfo()
  info.setState(state)
  info.setIsAlive(true)
  info.setHttpEndPoint(endPoint)
  return info
}
