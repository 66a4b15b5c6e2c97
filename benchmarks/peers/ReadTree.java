import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.FileReader;

/** Each line of a log through Jackson's readTree, nothing kept: a lower bound on any reader on the JVM. */
public class ReadTree {
  public static void main(String[] args) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    long events = 0;
    try (BufferedReader lines = new BufferedReader(new FileReader(args[0]), 1 << 20)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (mapper.readTree(line).has("Event")) events++;
      }
    }
    System.out.println(events);
  }
}
