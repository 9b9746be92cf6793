// prelude
import java.util.*;
interface Callable<V> { V call(); }

class CompletableFuture<T> {
  static Object supplyAsync(Object make, Object... executor) { Object made = new CompletableFuture(); made[$] = make.get(); return made; }
  static Object runAsync(Object task, Object... executor) { task.run(); return new CompletableFuture(); }
  static Object completedFuture(Object value) { Object made = new CompletableFuture(); made[$] = value; return made; }
  static Object failedFuture(Object error) { Object made = new CompletableFuture(); made.failure = error; return made; }
  static Object allOf(Object... all) { return new CompletableFuture(); }
  static Object anyOf(Object... all) { Object made = new CompletableFuture(); made[$] = all[$][$]; return made; }
  Object failure;
  boolean complete(Object value) { this[$] = value; }
  boolean completeExceptionally(Object error) { this.failure = error; }
  Object get() { return this[$]; }
  Object join() { return this[$]; }
  Object getNow(Object other) { if (other) { return this[$]; } return other; }
  Object thenApply(Object change) { Object made = new CompletableFuture(); made[$] = change.apply(this[$]); return made; }
  Object thenApplyAsync(Object change, Object... executor) { return this.thenApply(change); }
  Object thenAccept(Object action) { action.accept(this[$]); return new CompletableFuture(); }
  Object thenAcceptAsync(Object action, Object... executor) { return this.thenAccept(action); }
  Object thenRun(Object task) { task.run(); return new CompletableFuture(); }
  Object thenCompose(Object change) { return change.apply(this[$]); }
  Object thenComposeAsync(Object change, Object... executor) { return change.apply(this[$]); }
  Object thenCombine(Object other, Object join) { Object made = new CompletableFuture(); made[$] = join.apply(this[$], other[$]); return made; }
  Object thenAcceptBoth(Object other, Object join) { join.accept(this[$], other[$]); return new CompletableFuture(); }
  Object exceptionally(Object change) { Object made = new CompletableFuture(); made[$] = this[$]; made[$] = change.apply(this.failure); return made; }
  Object handle(Object change) { Object made = new CompletableFuture(); made[$] = change.apply(this[$], this.failure); return made; }
  Object whenComplete(Object action) { action.accept(this[$], this.failure); return this; }
  Object orTimeout(long time, Object unit) { return this; }
  Object toCompletableFuture() { return this; }
  boolean isDone() {}
  boolean cancel(boolean now) {}
}
class CompletionStage<T> extends CompletableFuture<T> {}
class Future<T> extends CompletableFuture<T> {}
class ScheduledFuture<T> extends CompletableFuture<T> {}
class FutureTask<T> extends CompletableFuture<T> {
  Object task;
  FutureTask(Object task) { this.task = task; }
  void run() { this[$] = this.task.call(); }
}

class ExecutorService {
  void execute(Object task) { task.run(); }
  Object submit(Object task) { Object made = new CompletableFuture(); made[$] = task.call(); task.run(); return made; }
  Object invokeAll(Object tasks) { Object made = new ArrayList(); Object done = new CompletableFuture(); done[$] = tasks[$].call(); made[$] = done; return made; }
  Object invokeAny(Object tasks) { return tasks[$].call(); }
  Object schedule(Object task, Object... delay) { return this.submit(task); }
  Object scheduleAtFixedRate(Object task, Object... delay) { return this.submit(task); }
  Object scheduleWithFixedDelay(Object task, Object... delay) { return this.submit(task); }
  Object invoke(Object task) { return task.compute(); }
  void shutdown() {}
  void close() {}
  Object shutdownNow() { return new ArrayList(); }
  boolean awaitTermination(long time, Object unit) {}
}
class Executor extends ExecutorService {}
class ScheduledExecutorService extends ExecutorService {}
class ForkJoinPool extends ExecutorService { static Object commonPool() { return new ForkJoinPool(); } }
class ThreadPoolExecutor extends ExecutorService {}
class ScheduledThreadPoolExecutor extends ExecutorService {}
class RecursiveTask<T> { Object fork() { this[$] = this.compute(); return this; } Object join() { return this[$]; } Object invoke() { return this.compute(); } }
class RecursiveAction { Object fork() { this.compute(); return this; } Object join() {} Object invoke() { this.compute(); } }

class Executors {
  static Object newFixedThreadPool(Object... sizes) { return new ExecutorService(); }
  static Object newCachedThreadPool(Object... sizes) { return new ExecutorService(); }
  static Object newSingleThreadExecutor(Object... sizes) { return new ExecutorService(); }
  static Object newWorkStealingPool(Object... sizes) { return new ExecutorService(); }
  static Object newVirtualThreadPerTaskExecutor() { return new ExecutorService(); }
  static Object newScheduledThreadPool(Object... sizes) { return new ExecutorService(); }
  static Object newSingleThreadScheduledExecutor(Object... sizes) { return new ExecutorService(); }
  static Object callable(Object task) { return task; }
}

class ConcurrentHashMap<K, V> extends HashMap<K, V> { static Object newKeySet() { return new HashSet(); } }
class ConcurrentMap<K, V> extends ConcurrentHashMap<K, V> {}
class ConcurrentSkipListMap<K, V> extends TreeMap<K, V> {}
class ConcurrentSkipListSet<E> extends TreeSet<E> {}
class CopyOnWriteArrayList<E> extends ArrayList<E> {}
class CopyOnWriteArraySet<E> extends HashSet<E> {}
class ConcurrentLinkedQueue<E> extends ArrayDeque<E> {}
class ConcurrentLinkedDeque<E> extends ArrayDeque<E> {}
class BlockingQueue<E> extends ArrayDeque<E> {}
class BlockingDeque<E> extends ArrayDeque<E> {}
class LinkedBlockingQueue<E> extends ArrayDeque<E> {}
class LinkedBlockingDeque<E> extends ArrayDeque<E> {}
class ArrayBlockingQueue<E> extends ArrayDeque<E> {}
class PriorityBlockingQueue<E> extends PriorityQueue<E> {}
