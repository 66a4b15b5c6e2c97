import java.io.FileInputStream;
import java.io.InputStream;
import java.util.ServiceLoader;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.ReplayListenerBus;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.AppStatusListener;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.status.TaskDataWrapper;
import org.apache.spark.util.kvstore.InMemoryStore;
import scala.Option;

/** What Spark's History Server does when a log is opened: replay into its store, here the one in memory (its default). */
public class HistoryReplay {
  public static void main(String[] args) throws Exception {
    SparkConf conf = new SparkConf(false);
    ElementTrackingStore store = new ElementTrackingStore(new InMemoryStore(), conf);
    ReplayListenerBus bus = new ReplayListenerBus();
    bus.addListener(new AppStatusListener(store, conf, false, Option.empty(), Option.empty()));
    for (AppHistoryServerPlugin plugin : ServiceLoader.load(AppHistoryServerPlugin.class)) {
      scala.collection.Iterator<SparkListener> made = plugin.createListeners(conf, store).iterator();
      while (made.hasNext()) bus.addListener(made.next());
    }
    try (InputStream log = new FileInputStream(args[0])) {
      bus.replay(log, args[0], true, ReplayListenerBus.SELECT_ALL_FILTER());
    }
    System.out.println(store.count(TaskDataWrapper.class));
    store.close(false);
  }
}
